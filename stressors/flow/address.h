/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address: sockets that only this machine can reach: with a loopback address, or without a name in the file
 * system.
 */
#ifndef STRESSORS_FLOW_ADDRESS_H
#define STRESSORS_FLOW_ADDRESS_H

#include <sys/socket.h>

#include "../run/stress.h"

enum flow_domain { FLOW_IPV4, FLOW_IPV6, FLOW_UNIX };
/* The choices of an option, by enum flow_domain. */
extern const char *const flow_domains[];
/* Returns AF_INET, AF_INET6 or AF_UNIX. */
int flow_family(enum flow_domain d) SM_MUST;

struct flow_address {
	struct sockaddr_storage to;
	socklen_t bytes;
};

/* Opens a socket with its own address: `port`, or a free one if it is 0; a socket of unix(7) gets a free
 * abstract name.  Returns the descriptor and its address, or the value that setup must return: a skip if this
 * machine lacks such a socket or address. */
int flow_socket(struct stress *s, enum flow_domain d, int type, int protocol, unsigned int port,
	struct flow_address *a) SM_MUST;

#endif
