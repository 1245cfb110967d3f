/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address: sockets that only this machine reaches: of loopback addresses, or without a name in the file
 * system.
 */
#ifndef STRESSORS_FLOW_ADDRESS_H
#define STRESSORS_FLOW_ADDRESS_H

#include <sys/socket.h>

#include "../run/stress.h"

enum flow_domain { FLOW_IPV4, FLOW_IPV6, FLOW_UNIX };
/* The choices of an option, by enum flow_domain. */
extern const char *const flow_domains[];
/* AF_INET, AF_INET6 or AF_UNIX. */
int flow_family(enum flow_domain d) SM_MUST;

struct flow_address {
	struct sockaddr_storage to;
	socklen_t bytes;
};

/* A new socket with an address of its own: `port`, 0: a free one; a socket of unix(7) has a free abstract
 * name.  The descriptor and its address, or what setup is to return: a skip if this machine has no such
 * socket or address. */
int flow_socket(struct stress *s, enum flow_domain d, int type, int protocol, unsigned int port,
	struct flow_address *a) SM_MUST;

#endif
