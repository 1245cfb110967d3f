// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "bpf/bpf.h"
#include "events/cnproc.h"
#include "base/compat.h"
#include "base/file.h"

/*
 * Offsets in a datagram.  The u64 stamp at 44 is misaligned, so everything is read with
 * memcpy and never through a cast pointer.
 */
enum {
	NL_LEN = 0,  /* struct nlmsghdr: u32 len, u16 type, u16 flags, u32 seq, u32 pid */
	CN_IDX = 16, /* struct cn_msg: u32 idx, val, seq, ack; u16 len, flags */
	CN_VAL = 20,
	CN_ACK = 28,
	CN_LEN = 32,
	EV = 36,      /* struct proc_event: what, cpu, stamp, data */
	EV_DATA = 16, /* in struct proc_event */
};

#define CN_IDX_PROC_ID 1u
#define CN_VAL_PROC_ID 1u
#define OP_LISTEN      1u /* enum proc_cn_mcast_op */
#define OP_IGNORE      2u

#define LISTEN_TRIES 4
#define MAX_ERRNO    4095u
#define SILENCE_NS   (60 * SM_NSEC_PER_SEC)
#define CHECKS	     5 /* the kernel may lack memory for one event */

#define RX_VECTORS 64
#define RX_BYTES   128 /* an event is 76; room for growth of the kernel's structure */

struct sm_cnproc_rx {
	bool netlink; /* false: datagram socket of a test, without sender address */
	struct mmsghdr msg[RX_VECTORS];
	struct iovec iov[RX_VECTORS];
	struct sockaddr_nl from[RX_VECTORS];
	unsigned char buf[RX_VECTORS][RX_BYTES];
};

#define GET(bits)                                                          \
	static uint##bits##_t get##bits(const unsigned char *m, size_t at) \
	{                                                                  \
		uint##bits##_t v;                                          \
                                                                           \
		memcpy(&v, m + at, sizeof(v));                             \
		return v;                                                  \
	}
GET(16)
GET(32)

/* Returns the bytes of event_data that the kind uses; 0 for an unknown kind. */
static size_t data_bytes_of(uint32_t what)
{
	switch (what) {
	case SM_PROC_NONE:
		return 4;
	case SM_PROC_EXEC:
	case SM_PROC_SID:
	case SM_PROC_COREDUMP: /* 16 since Linux 4.18 */
		return 8;
	case SM_PROC_FORK:
	case SM_PROC_UID:
	case SM_PROC_GID:
	case SM_PROC_PTRACE:
	case SM_PROC_EXIT: /* 24 since Linux 4.18, with the parent */
		return 16;
	case SM_PROC_COMM:
		return 8 + SM_TASK_COMM_LEN;
	default:
		return 0;
	}
}

/* event_data begins with the PID and TGID of the task, except for fork and none. */
static void parse_data(const uint32_t *w, struct sm_proc_event *ev)
{
	const uint32_t *task = ev->what == SM_PROC_FORK ? w + 2 : w, *parent = NULL;

	ev->pid = (pid_t)task[0];
	ev->tgid = (pid_t)task[1];
	switch (ev->what) {
	case SM_PROC_FORK:
		parent = w;
		break;
	case SM_PROC_UID:
	case SM_PROC_GID:
		ev->rid = w[2];
		ev->eid = w[3];
		break;
	case SM_PROC_PTRACE:
	case SM_PROC_COREDUMP:
		parent = w + 2;
		break;
	case SM_PROC_EXIT:
		ev->exit_code = w[2];
		ev->exit_signal = w[3];
		parent = w + 4;
		break;
	case SM_PROC_COMM:
		memcpy(ev->comm, w + 2, sizeof(ev->comm) - 1);
		break;
	}
	ev->ppid = parent ? (pid_t)parent[0] : 0;
	ev->ptgid = parent ? (pid_t)parent[1] : 0;
}

int sm_cnproc_parse_event(const void *event, size_t len, struct sm_proc_event *ev)
{
	struct {
		uint32_t what, cpu;
		uint64_t time_ns;
		uint32_t data[6];
	} raw = {0};
	size_t need;

	memset(ev, 0, sizeof(*ev));
	memcpy(&raw, event, (len < sizeof(raw) ? len : sizeof(raw)) & ~(size_t)7);
	need = data_bytes_of(raw.what);
	if (need == 0 || len < EV_DATA + need)
		return -EBADMSG;
	ev->what = raw.what;
	ev->cpu = raw.cpu;
	ev->time_ns = raw.time_ns;
	if (ev->what != SM_PROC_NONE)
		parse_data(raw.data, ev);
	return 0;
}

int sm_cnproc_parse(
	const void *msg, size_t len, struct sm_proc_event *ev, uint32_t *ack_out)
{
	const unsigned char *m = msg;
	size_t ev_len;

	*ack_out = 0;
	memset(ev, 0, sizeof(*ev));
	if (len < EV + EV_DATA || get32(m, NL_LEN) > len)
		return -EBADMSG;
	if (get32(m, CN_IDX) != CN_IDX_PROC_ID || get32(m, CN_VAL) != CN_VAL_PROC_ID)
		return -EBADMSG;
	ev_len = get16(m, CN_LEN);
	if (get32(m, NL_LEN) < EV + ev_len ||
		sm_cnproc_parse_event(m + EV, ev_len, ev) < 0)
		return -EBADMSG;
	if (ev->what == SM_PROC_NONE)
		*ack_out = get32(m, CN_ACK);
	return 0;
}

static int send_op(
	const struct sm_cnproc *c, uint32_t ack, const uint32_t *op, size_t words)
{
	unsigned char m[EV + 8] = {0};
	uint32_t len = (uint32_t)(EV + words * sizeof(*op));
	uint16_t op_len = (uint16_t)(words * sizeof(*op)), type = NLMSG_DONE;
	uint32_t idx = CN_IDX_PROC_ID, val = CN_VAL_PROC_ID;
	ssize_t n;

	memcpy(m + NL_LEN, &len, sizeof(len));
	memcpy(m + NL_LEN + 4, &type, sizeof(type));
	memcpy(m + CN_IDX, &idx, sizeof(idx));
	memcpy(m + CN_VAL, &val, sizeof(val));
	memcpy(m + CN_ACK, &ack, sizeof(ack));
	memcpy(m + CN_LEN, &op_len, sizeof(op_len));
	memcpy(m + EV, op, op_len);
	do
		n = send(c->fd, m, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

static bool is_netlink(int fd)
{
	int domain = 0;
	socklen_t len = sizeof(domain);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 &&
	       domain == AF_NETLINK;
}

static struct sm_cnproc_rx *rx_new(int fd)
{
	struct sm_cnproc_rx *rx = calloc(1, sizeof(*rx));

	if (!rx)
		return NULL;
	rx->netlink = is_netlink(fd);
	for (size_t i = 0; i < RX_VECTORS; i++) {
		struct msghdr *h = &rx->msg[i].msg_hdr;

		rx->iov[i] = (struct iovec){rx->buf[i], RX_BYTES};
		h->msg_iov = &rx->iov[i];
		h->msg_iovlen = 1;
		h->msg_name = &rx->from[i];
		h->msg_namelen = sizeof(rx->from[i]);
	}
	return rx;
}

/* Reads the drop counter; false if it does not exist (before Linux 4.12). */
static bool read_drops(int fd, uint32_t *drops)
{
	uint32_t info[SK_MEMINFO_VARS];
	socklen_t len = sizeof(info);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &len) < 0 ||
		len < (SK_MEMINFO_DROPS + 1) * sizeof(info[0]))
		return false;
	*drops = info[SK_MEMINFO_DROPS];
	return true;
}

static size_t granted_rcvbuf(int fd)
{
	int bytes = 0;
	socklen_t len = sizeof(bytes);

	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &len) < 0 || bytes < 0)
		return 0;
	return (size_t)bytes;
}

int sm_cnproc_adopt(struct sm_cnproc *c, int fd)
{
	*c = (struct sm_cnproc)SM_CNPROC_INIT;
	c->rx = rx_new(fd);
	if (!c->rx)
		return -ENOMEM;
	c->fd = fd;
	c->check_ns = UINT64_MAX;
	c->rcvbuf_bytes = granted_rcvbuf(fd);
	return 0;
}

/* The kernel doubles the size, and silently limits SO_RCVBUF to net.core.rmem_max. */
static void set_rcvbuf(int fd, size_t bytes)
{
	int want = bytes > INT_MAX / 2 ? INT_MAX / 2 : (int)bytes;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &want, sizeof(want)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &want, sizeof(want));
}

static int open_socket(size_t rcvbuf_bytes)
{
	struct sockaddr_nl sa = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC_ID};
	int fd = socket(
		AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
	int on = 1, rc;

	if (fd < 0)
		return -errno;
	if (rcvbuf_bytes)
		set_rcvbuf(fd, rcvbuf_bytes);
	/* Otherwise, after a drop, the kernel drops all until the queue is empty. */
	(void)setsockopt(fd, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&sa, sizeof(sa)) < 0) {
		rc = -errno;
		close(fd);
		return rc;
	}
	return fd;
}

int sm_cnproc_open(struct sm_cnproc *c, size_t rcvbuf_bytes)
{
	int fd, rc;

	*c = (struct sm_cnproc)SM_CNPROC_INIT;
	fd = open_socket(rcvbuf_bytes);
	if (fd < 0)
		return fd;
	rc = sm_cnproc_adopt(c, fd);
	if (rc < 0)
		close(fd);
	return rc;
}

/* Reads a batch into rx->msg; returns the number of datagrams or -errno. */
static int receive(struct sm_cnproc *c, size_t vectors)
{
	struct sm_cnproc_rx *rx = c->rx;
	int n;

	do
		n = recvmmsg(c->fd, rx->msg, (unsigned int)vectors, MSG_DONTWAIT, NULL);
	while (n < 0 && (errno == EINTR || errno == ENOBUFS));
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	return n;
}

/* Parses the i-th received datagram and makes its vector ready to receive again. */
static int take(
	struct sm_cnproc_rx *rx, size_t i, struct sm_proc_event *ev, uint32_t *ack)
{
	struct msghdr *h = &rx->msg[i].msg_hdr;
	bool from_kernel = !rx->netlink || (h->msg_namelen >= sizeof(rx->from[i]) &&
						   rx->from[i].nl_pid == 0);

	h->msg_namelen = sizeof(rx->from[i]);
	if (!from_kernel || (h->msg_flags & MSG_TRUNC))
		return -EBADMSG;
	return sm_cnproc_parse(rx->buf[i], rx->msg[i].msg_len, ev, ack);
}

static int ack_error(uint32_t err)
{
	return err > MAX_ERRNO ? -EPROTO : -(int)err;
}

/* See time_namespaces(7).  The file shows the namespace of children, which may differ. */
static int64_t timens_offset(void)
{
	char text[256], *end;
	int64_t secs;

	if (sm_file_slurp(sm_at_fd(AT_FDCWD), "/proc/self/timens_offsets", text,
		    sizeof(text)) <= 0 ||
		strncmp(text, "monotonic", 9) != 0)
		return 0;
	secs = strtoll(text + 9, &end, 10);
	return secs * (int64_t)SM_NSEC_PER_SEC + strtol(end, NULL, 10);
}

/* The kernel stamped the acknowledgement after the request and before now. */
static void compare_clocks(struct sm_cnproc *c, uint64_t ack_ns)
{
	uint64_t now = sm_clock_mono_ns(), took = now - c->asked_ns;
	int64_t offset;

	c->clock_offset_ns = 0;
	if (ack_ns - c->asked_ns <= took)
		return;
	offset = timens_offset();
	if (ack_ns + (uint64_t)offset - c->asked_ns <= took)
		c->clock_offset_ns = offset;
}

/*
 * Discards datagrams up to this socket's acknowledgement, one at a time, so that later
 * ones stay in the queue.  -EAGAIN: the queue is empty; or the kernel's error.
 */
static int drain_to_ack(struct sm_cnproc *c)
{
	struct sm_proc_event ev;
	uint32_t ack;
	int n;

	while ((n = receive(c, 1)) > 0) {
		if (take(c->rx, 0, &ev, &ack) < 0 || ev.what != SM_PROC_NONE)
			continue;
		if (ack != c->ack + 1)
			continue;
		compare_clocks(c, ev.time_ns);
		return ack_error(get32(c->rx->buf[0], EV + EV_DATA));
	}
	return n < 0 ? n : -EAGAIN;
}

static int wait_ack(struct sm_cnproc *c, uint64_t deadline_ns)
{
	struct pollfd pfd = {.fd = c->fd, .events = POLLIN};

	for (;;) {
		uint64_t now = sm_clock_mono_ns();
		uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
		struct timespec ts = {
			(time_t)(left / SM_NSEC_PER_SEC), (long)(left % SM_NSEC_PER_SEC)};
		int rc = drain_to_ack(c);

		if (rc != -EAGAIN)
			return rc;
		if (left == 0)
			return -ETIMEDOUT;
		if (ppoll(&pfd, 1, &ts, NULL) < 0 && errno != EINTR)
			return -errno;
	}
}

static uint32_t random32(void)
{
	uint32_t v;

	if (getrandom(&v, sizeof(v), GRND_NONBLOCK) != (ssize_t)sizeof(v))
		v = (uint32_t)sm_clock_mono_ns() ^ (uint32_t)getpid() << 16;
	return v;
}

static bool dropped_since(const struct sm_cnproc *c, uint32_t base)
{
	uint32_t drops;

	return read_drops(c->fd, &drops) && drops != base;
}

/* Discards queued events to make room for the acknowledgement, then sends LISTEN. */
static int ask_to_listen(struct sm_cnproc *c)
{
	const uint32_t op = OP_LISTEN;
	int rc;

	while ((rc = drain_to_ack(c)) == 0)
		; /* a late acknowledgement: LISTEN is sent again */
	if (rc != -EAGAIN)
		return rc;
	if (!read_drops(c->fd, &c->lost_base))
		c->lost_base = 0;
	c->asked_ns = sm_clock_mono_ns();
	return send_op(c, c->ack, &op, 1);
}

/*
 * The kernel acknowledges within send().  If events (another listener keeps them enabled)
 * filled the queue, the acknowledgement was dropped and LISTEN is sent again.
 */
static int listen_and_wait(struct sm_cnproc *c, int timeout_ms)
{
	uint64_t slice_ns = (uint64_t)timeout_ms * SM_NSEC_PER_MSEC / LISTEN_TRIES;
	uint64_t deadline_ns = sm_clock_mono_ns();
	int rc;

	for (int i = 0; i < LISTEN_TRIES; i++) {
		if (i == 0 || dropped_since(c, c->lost_base)) {
			rc = ask_to_listen(c);
			if (rc < 0)
				return rc;
		}
		c->listening = true;
		deadline_ns += slice_ns;
		rc = wait_ack(c, deadline_ns);
		if (rc != -ETIMEDOUT)
			return rc;
	}
	return -ETIMEDOUT;
}

int sm_cnproc_listen(struct sm_cnproc *c, int timeout_ms)
{
	int rc;

	c->ack = random32();
	rc = listen_and_wait(c, timeout_ms);
	if (rc < 0)
		return rc;
	c->acked = true;
	c->received = 0;
	c->lost = 0;
	c->lost_seen = c->lost_base;
	c->check_ns = sm_clock_mono_ns() + SILENCE_NS;
	return 0;
}

/*
 * BPF loads a word in network order, so the mask is also swapped.  Events that do not
 * match, and acknowledgements, take no queue space.
 */
static int attach_bpf(int fd, uint32_t mask)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, EV),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, htonl(mask), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = {.len = SM_ARRAY_SIZE(code), .filter = code};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)) < 0
		       ? -errno
		       : 0;
}

int sm_cnproc_filter(struct sm_cnproc *c, uint32_t mask)
{
	const uint32_t op[2] = {OP_LISTEN, mask};
	int rc = attach_bpf(c->fd, mask);

	c->mask = mask;
	/* Linux before 6.6 ignores a message with a second word. */
	return rc < 0 ? rc : send_op(c, c->ack, op, 2);
}

/* The kernel queues an event before the system call that causes it returns. */
static bool own_event_arrives(struct sm_cnproc *c)
{
	struct pollfd pfd = {.fd = c->fd, .events = POLLIN};
	char comm[SM_TASK_COMM_LEN] = "";
	uint32_t mask = c->mask;

	if (mask)
		(void)!sm_cnproc_filter(c, mask | SM_PROC_COMM);
	c->checking = true;
	prctl(PR_GET_NAME, comm);
	prctl(PR_SET_NAME, comm);
	if (mask)
		(void)!sm_cnproc_filter(c, mask);
	if (c->filter_fd >= 0)
		(void)!sm_bpf_attach_socket(c->fd, c->filter_fd);
	return poll(&pfd, 1, 0) > 0;
}

int sm_cnproc_check(struct sm_cnproc *c, uint64_t now_ns)
{
	bool heard = c->received != c->checked;

	if (!heard && now_ns < c->check_ns)
		return 0;
	c->checked = c->received;
	if (heard || own_event_arrives(c)) {
		c->missed = 0;
		c->check_ns = now_ns + SILENCE_NS;
		return 0;
	}
	c->check_ns = now_ns + SM_NSEC_PER_SEC;
	return ++c->missed < CHECKS ? 0 : -ENOTCONN;
}

static bool is_own_event(struct sm_cnproc *c, const struct sm_proc_event *ev)
{
	if (ev->what != SM_PROC_COMM || ev->pid != getpid())
		return false;
	c->checking = false;
	return true;
}

/* Takes the events among n received datagrams. */
static size_t take_events(struct sm_cnproc *c, int n, struct sm_proc_event *ev)
{
	size_t count = 0;
	uint32_t ack;

	for (int i = 0; i < n; i++) {
		if (take(c->rx, (size_t)i, &ev[count], &ack) < 0 ||
			ev[count].what == SM_PROC_NONE ||
			(c->checking && is_own_event(c, &ev[count])))
			continue;
		ev[count++].time_ns += (uint64_t)c->clock_offset_ns;
	}
	c->received += count;
	return count;
}

ssize_t sm_cnproc_read(struct sm_cnproc *c, struct sm_proc_event *ev, size_t max)
{
	size_t count = 0, vectors;
	int n;

	while (count < max) {
		vectors = max - count < RX_VECTORS ? max - count : RX_VECTORS;
		n = receive(c, vectors);
		if (n < 0)
			return count ? (ssize_t)count : n;
		count += take_events(c, n, ev + count);
		/* A short batch has emptied the queue. */
		if ((size_t)n < vectors)
			break;
	}
	return (ssize_t)count;
}

int64_t sm_cnproc_update_lost(struct sm_cnproc *c)
{
	uint32_t drops, more;

	if (!read_drops(c->fd, &drops))
		return 0;
	more = drops - c->lost_seen; /* even if the counter has wrapped */
	c->lost_seen = drops;
	c->lost += more;
	return more;
}

void sm_cnproc_close(struct sm_cnproc *c)
{
	const uint32_t op = OP_IGNORE;

	if (c->listening)
		(void)send_op(c, c->ack, &op, 1);
	sm_base_close_fd(&c->filter_fd);
	if (c->fd >= 0)
		close(c->fd);
	free(c->rx);
	*c = (struct sm_cnproc)SM_CNPROC_INIT;
}
