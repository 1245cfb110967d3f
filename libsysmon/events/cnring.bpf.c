// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "events/cnevent.h"

RING(ring, 128 << 10); /* bytes; the reader sets another size */

uint32_t diverts;	      /* switched by the reader */
const volatile uint32_t mask; /* kinds of events that are not dropped */

/* Results of the filter: number of bytes of the datagram that are queued. */
#define DROP  0
#define QUEUE (-1)

/* True for a datagram from a process, and while an earlier datagram is in the queue. */
INLINE bool must_queue(const struct sk_buff *skb)
{
	const struct netlink_skb_parms *parms = (const void *)&skb->cb;
	const struct sock *sock;
	uint32_t portid, queued;

	READ(portid, parms->portid);
	READ(sock, skb->sk);
	READ(queued, sock->sk_receive_queue.qlen);
	return portid || queued;
}

SEC("socket") int divert_events(struct sk_buff *skb)
{
	uint32_t event[SM_CNPROC_EVENT_BYTES / 4];

	if (bpf_skb_load_bytes(skb, SM_CNPROC_EVENT_AT, event, sizeof(event)))
		return QUEUE;
	if (!(event[0] & mask))
		return DROP;
	if (!LOAD(diverts) || must_queue(skb))
		return QUEUE;
	return bpf_ringbuf_output(&ring, event, sizeof(event), BPF_RB_NO_WAKEUP) ? QUEUE
										 : DROP;
}
