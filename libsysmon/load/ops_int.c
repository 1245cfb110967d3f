// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/ops_impl.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)
#define MIX_1  UINT64_C(0xbf58476d1ce4e5b9)
#define MIX_2  UINT64_C(0x94d049bb133111eb)

/* Marsaglia's pair of multiply-with-carry generators with 16 bits each: s[0] and s[1]. */
#if defined(__x86_64__)
void sm_ops_mwc(struct sm_ops_state *st, uint64_t n)
{
	uint32_t z = (uint32_t)st->s[0], w = (uint32_t)st->s[1], t;
	uint64_t sum = st->sum;

	if (n == 0)
		return;
	__asm__ volatile(
		"1:\n\t"
		"movzwl %w[z], %k[t]\n\t"
		"shrl $16, %k[z]\n\t"
		"imull $36969, %k[t], %k[t]\n\t"
		"addl %k[t], %k[z]\n\t"
		"movzwl %w[w], %k[t]\n\t"
		"shrl $16, %k[w]\n\t"
		"imull $18000, %k[t], %k[t]\n\t"
		"addl %k[t], %k[w]\n\t"
		"movl %k[z], %k[t]\n\t"
		"shll $16, %k[t]\n\t"
		"addl %k[w], %k[t]\n\t"
		"addq %q[t], %[sum]\n\t"
		"decq %[n]\n\t"
		"jnz 1b"
		: [z] "+r"(z), [w] "+r"(w), [t] "=&r"(t), [sum] "+r"(sum), [n] "+r"(n)
		:
		: "cc");
	st->s[0] = z;
	st->s[1] = w;
	st->sum = sum;
}

void sm_ops_int(struct sm_ops_state *st, uint64_t n)
{
	uint64_t s = st->s[0], sum = st->sum, z, t;

	if (n == 0)
		return;
	__asm__ volatile(
		"1:\n\t"
		"addq %[golden], %[s]\n\t"
		"movq %[s], %[z]\n\t"
		"movq %[s], %[t]\n\t"
		"shrq $30, %[t]\n\t"
		"xorq %[t], %[z]\n\t"
		"imulq %[mix_1], %[z]\n\t"
		"movq %[z], %[t]\n\t"
		"shrq $27, %[t]\n\t"
		"xorq %[t], %[z]\n\t"
		"imulq %[mix_2], %[z]\n\t"
		"movq %[z], %[t]\n\t"
		"shrq $31, %[t]\n\t"
		"xorq %[t], %[z]\n\t"
		"addq %[z], %[sum]\n\t"
		"decq %[n]\n\t"
		"jnz 1b"
		: [s] "+r"(s), [sum] "+r"(sum), [z] "=&r"(z), [t] "=&r"(t), [n] "+r"(n)
		: [golden] "r"(GOLDEN), [mix_1] "r"(MIX_1), [mix_2] "r"(MIX_2)
		: "cc");
	st->s[0] = s;
	st->sum = sum;
}
#elif defined(__aarch64__)
void sm_ops_mwc(struct sm_ops_state *st, uint64_t n)
{
	uint32_t z = (uint32_t)st->s[0], w = (uint32_t)st->s[1], t;
	uint64_t sum = st->sum;

	if (n == 0)
		return;
	__asm__ volatile(
		"1:\n\t"
		"and %w[t], %w[z], #0xffff\n\t"
		"lsr %w[z], %w[z], #16\n\t"
		"madd %w[z], %w[t], %w[a], %w[z]\n\t"
		"and %w[t], %w[w], #0xffff\n\t"
		"lsr %w[w], %w[w], #16\n\t"
		"madd %w[w], %w[t], %w[b], %w[w]\n\t"
		"add %w[t], %w[w], %w[z], lsl #16\n\t"
		"add %x[sum], %x[sum], %x[t]\n\t"
		"subs %x[n], %x[n], #1\n\t"
		"b.ne 1b"
		: [z] "+r"(z), [w] "+r"(w), [t] "=&r"(t), [sum] "+r"(sum), [n] "+r"(n)
		: [a] "r"(36969u), [b] "r"(18000u)
		: "cc");
	st->s[0] = z;
	st->s[1] = w;
	st->sum = sum;
}

void sm_ops_int(struct sm_ops_state *st, uint64_t n)
{
	uint64_t s = st->s[0], sum = st->sum, z;

	if (n == 0)
		return;
	__asm__ volatile("1:\n\t"
			 "add %x[s], %x[s], %x[golden]\n\t"
			 "eor %x[z], %x[s], %x[s], lsr #30\n\t"
			 "mul %x[z], %x[z], %x[mix_1]\n\t"
			 "eor %x[z], %x[z], %x[z], lsr #27\n\t"
			 "mul %x[z], %x[z], %x[mix_2]\n\t"
			 "eor %x[z], %x[z], %x[z], lsr #31\n\t"
			 "add %x[sum], %x[sum], %x[z]\n\t"
			 "subs %x[n], %x[n], #1\n\t"
			 "b.ne 1b"
			 : [s] "+r"(s), [sum] "+r"(sum), [z] "=&r"(z), [n] "+r"(n)
			 : [golden] "r"(GOLDEN), [mix_1] "r"(MIX_1), [mix_2] "r"(MIX_2)
			 : "cc");
	st->s[0] = s;
	st->sum = sum;
}
#else
void sm_ops_mwc(struct sm_ops_state *st, uint64_t n)
{
	uint32_t z = (uint32_t)st->s[0], w = (uint32_t)st->s[1];

	for (; n > 0; n--) {
		z = 36969u * (z & 0xffffu) + (z >> 16);
		w = 18000u * (w & 0xffffu) + (w >> 16);
		st->sum += (uint32_t)((z << 16) + w);
	}
	st->s[0] = z;
	st->s[1] = w;
}

void sm_ops_int(struct sm_ops_state *st, uint64_t n)
{
	uint64_t z;

	for (; n > 0; n--) {
		z = st->s[0] += GOLDEN;
		z = (z ^ (z >> 30)) * MIX_1;
		z = (z ^ (z >> 27)) * MIX_2;
		st->sum += z ^ (z >> 31);
	}
}
#endif

/* The empty statement keeps the compiler from using a conditional move, which would have
 * no branch to mispredict. */
#define BRANCH(bit, then)                       \
	if (x & (bit)) {                        \
		then;                           \
		__asm__ volatile("" : "+r"(a)); \
	}

/* Four bits of Marsaglia's xorshift32 decide. */
void sm_ops_branchy(struct sm_ops_state *st, uint64_t n)
{
	uint32_t x = (uint32_t)st->s[0], a = (uint32_t)st->s[1];

	for (; n > 0; n--) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		BRANCH(1u << 4, a += x)
		BRANCH(1u << 9, a ^= x >> 3)
		BRANCH(1u << 15, a *= 3)
		BRANCH(1u << 22, a -= x << 2)
		st->sum += a;
	}
	st->s[0] = x;
	st->s[1] = a;
}
