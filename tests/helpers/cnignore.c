// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cnignore: sends PROC_CN_MCAST_IGNORE to the process events connector, COUNT times, as a
 * program does that ends.  Before Linux 6.6 each of them takes one listener from the
 * kernel's number.
 */
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_nl to = {.nl_family = AF_NETLINK};
	const enum proc_cn_mcast_op op = PROC_CN_MCAST_IGNORE;
	struct cn_msg cn = {.id = {CN_IDX_PROC, CN_VAL_PROC}, .len = sizeof(op)};
	struct nlmsghdr h = {.nlmsg_len = sizeof(h) + sizeof(cn) + sizeof(op),
		.nlmsg_type = NLMSG_DONE};
	unsigned char m[sizeof(h) + sizeof(cn) + sizeof(op)];
	int fd = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_CONNECTOR);

	memcpy(m, &h, sizeof(h));
	memcpy(m + sizeof(h), &cn, sizeof(cn));
	memcpy(m + sizeof(h) + sizeof(cn), &op, sizeof(op));
	for (int n = argc == 2 ? atoi(argv[1]) : 1; n > 0; n--)
		if (sendto(fd, m, sizeof(m), 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
			perror("cnignore");
			return 1;
		}
	return 0;
}
