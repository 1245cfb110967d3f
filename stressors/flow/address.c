// SPDX-License-Identifier: GPL-2.0-or-later
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

#define MOST_PORTS 65535u

const char *const flow_domains[] = {
	[FLOW_IPV4] = "ipv4", [FLOW_IPV6] = "ipv6", [FLOW_UNIX] = "unix", NULL};

int flow_family(enum flow_domain d)
{
	static const int family[] = {
		[FLOW_IPV4] = AF_INET, [FLOW_IPV6] = AF_INET6, [FLOW_UNIX] = AF_UNIX};

	return family[d];
}

/* The address of a unix(7) socket ends after the family, so that bind(2) chooses a
 * name. */
static struct flow_address make_address(enum flow_domain d, unsigned int port)
{
	struct flow_address a = {.bytes = sizeof(sa_family_t)};
	struct sockaddr_in *v4 = (void *)&a.to;
	struct sockaddr_in6 *v6 = (void *)&a.to;

	a.to.ss_family = (sa_family_t)flow_family(d);
	if (d == FLOW_IPV4) {
		v4->sin_port = htons((uint16_t)port);
		v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		a.bytes = sizeof(*v4);
	} else if (d == FLOW_IPV6) {
		v6->sin6_port = htons((uint16_t)port);
		v6->sin6_addr = in6addr_loopback;
		a.bytes = sizeof(*v6);
	}
	return a;
}

/* Checks that the address can be reached, without sending a packet: if the loopback
 * interface is down, bind(2) may succeed nevertheless. */
static int check_way(const struct flow_address *a)
{
	SM_CLOSE_FD int fd = socket(a->to.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return fd < 0 || connect(fd, (const void *)&a->to, a->bytes) < 0 ? -errno : 0;
}

int flow_socket(struct stress *s, enum flow_domain d, int type, int protocol,
	unsigned int port, struct flow_address *a)
{
	const char *name = flow_domains[d];
	int fd, on = 1, r;

	if (port > MOST_PORTS)
		return stress_skip(s, "port %u is above 65535", port);
	fd = socket(flow_family(d), type | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		return stress_error(
			s, STRESS_SKIP, errno, "cannot create a socket (%s)", name);
	*a = make_address(d, port);
	if (port && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0)
		return stress_error(s, STRESS_FAIL, errno, "SO_REUSEADDR");
	if (bind(fd, (void *)&a->to, a->bytes) < 0)
		return stress_error(s, STRESS_SKIP, errno,
			"cannot bind to the loopback address (%s, port %u)", name, port);
	a->bytes = sizeof(a->to);
	if (getsockname(fd, (void *)&a->to, &a->bytes) < 0)
		return stress_error(s, STRESS_FAIL, errno, "getsockname");
	r = d == FLOW_UNIX ? 0 : check_way(a);
	if (r)
		return stress_error(s, STRESS_SKIP, -r,
			"cannot reach the loopback address (%s)", name);
	return fd;
}
