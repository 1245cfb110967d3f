// SPDX-License-Identifier: GPL-2.0-or-later
#include "method.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#define LINE 64u

const struct method method_table[METHODS] = {
	[METHOD_READ8] = {.read = method_read8, .unit = 1},
	[METHOD_READ16] = {.read = method_read16, .unit = 2},
	[METHOD_READ32] = {.read = method_read32, .unit = 4},
	[METHOD_READ64] = {.read = method_read64, .unit = 8},
	[METHOD_READ64PF] = {.read = method_read64pf, .unit = 8},
	[METHOD_READ128] = {.read = method_read128, .unit = 8},
	[METHOD_READ256] = {.read = method_read256, .unit = 8, .bits = 256},
	[METHOD_READ512] = {.read = method_read512, .unit = 8, .bits = 512},
	[METHOD_WRITE8] = {.write = method_write8},
	[METHOD_WRITE16] = {.write = method_write16},
	[METHOD_WRITE32] = {.write = method_write32},
	[METHOD_WRITE64] = {.write = method_write64},
	[METHOD_WRITE128] = {.write = method_write128},
	[METHOD_WRITE256] = {.write = method_write256, .bits = 256},
	[METHOD_WRITE512] = {.write = method_write512, .bits = 512},
#if defined(__x86_64__)
	[METHOD_WRITE512NT] = {.write = method_write512nt, .bits = 512},
	[METHOD_WRITE8STOB] = {.write = method_write8stob},
	[METHOD_WRITE64STOQ] = {.write = method_write64stoq},
#endif
#if defined(__x86_64__) || defined(__aarch64__)
	[METHOD_WRITE64NT] = {.write = method_write64nt},
	[METHOD_WRITE128NT] = {.write = method_write128nt},
	[METHOD_WRITE256NT] = {.write = method_write256nt, .bits = 256},
#endif
	[METHOD_MEMSET] = {.write = method_memset},
};

const char *method_missing(const struct method *m)
{
	if (!m->read && !m->write)
		return "this architecture has no such instruction";
#if defined(__x86_64__)
	if (m->bits == 512 && !__builtin_cpu_supports("avx512f"))
		return "this CPU has no AVX-512";
	if (m->bits == 256 && !__builtin_cpu_supports("avx2"))
		return "this CPU has no AVX2";
#endif
	return NULL;
}

uint64_t method_word(uint8_t byte)
{
	return byte * (UINT64_MAX / UINT8_MAX);
}

uint64_t method_sum(const struct method *m, uint8_t byte)
{
	uint64_t one = method_word(byte) >> (64 - 8 * m->unit);

	return one * (MEMORY_PAGE / m->unit);
}

bool method_flush(const void *p, size_t bytes)
{
#if defined(__x86_64__)
	for (size_t at = 0; at < bytes; at += LINE)
		_mm_clflush((const char *)p + at);
	_mm_mfence();
	return true;
#elif defined(__aarch64__)
	/* Lines may be longer.  Few CPUs have lines of less than 64 bytes, and at least
	 * 16. */
	for (size_t at = 0; at < bytes; at += LINE)
		__asm__ volatile("dc civac, %0" : : "r"((const char *)p + at) : "memory");
	__asm__ volatile("dsb ish" : : : "memory");
	return true;
#else
	(void)p;
	return bytes == 0;
#endif
}
