/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: constants of the kernel interface that older headers and musl lack.
 */
#ifndef SM_COMPAT_H
#define SM_COMPAT_H

#include <linux/netlink.h>
#include <sys/syscall.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif
#ifndef NETLINK_NO_ENOBUFS
#define NETLINK_NO_ENOBUFS 5
#endif
#ifndef SO_MEMINFO
#define SO_MEMINFO 55 /* include/uapi/asm-generic/socket.h */
#endif
#ifndef SK_MEMINFO_DROPS
#define SK_MEMINFO_DROPS 8 /* include/uapi/linux/sock_diag.h */
#endif
#ifndef SK_MEMINFO_VARS
#define SK_MEMINFO_VARS 9
#endif
#ifndef CAP_BPF
#define CAP_BPF 39 /* Linux 5.8: include/uapi/linux/capability.h */
#endif
#ifndef SYS_fsopen
#define SYS_fsopen   430
#define SYS_fsconfig 431
#define SYS_fsmount  432
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#endif
