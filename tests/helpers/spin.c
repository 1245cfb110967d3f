// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spin		uses a CPU without a system call or a timer, until it is killed
 * spin talk N	N short messages over a TCP connection to itself, each way, on whatever
 * CPUs
 */
#include <arpa/inet.h>
#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void pass(int from, int to)
{
	char c = 'x';

	if (write(from, &c, 1) != 1 || read(to, &c, 1) != 1)
		err(1, "a message");
}

static void talk(int n)
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	socklen_t len = sizeof(a);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int one = socket(AF_INET, SOCK_STREAM, 0), two;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&a, len) < 0 || listen(server, 1) < 0 ||
		getsockname(server, (struct sockaddr *)&a, &len) < 0 ||
		connect(one, (struct sockaddr *)&a, len) < 0)
		err(1, "a connection");
	two = accept(server, NULL, NULL);
	for (int i = 0; i < n; i++) {
		pass(one, two);
		usleep(1000);
		pass(two, one);
	}
}

int main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc == 3 && strcmp(argv[1], "talk") == 0) {
		talk(atoi(argv[2]));
		return 0;
	}
	for (;;)
		__asm__ volatile("" ::: "memory");
}
