// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu.h"

// clang-format off
const struct cpu_kernel cpu_kernels[CPU_METHODS] = {
	[CPU_BITOPS] = {cpu_bitops, 4, UINT64_C(0x3f36e31f8f7aa470)},
	[CPU_BRANCHY] = {cpu_branchy, 4, UINT64_C(0x2796019a8d6a)},
	[CPU_CRC] = {cpu_crc, 16, UINT64_C(0xfb5ab67e)},
	[CPU_DOUBLE] = {cpu_double, 4, UINT64_C(0x18aca7a9a)},
	[CPU_FFT] = {cpu_fft, 4, UINT64_C(0x31b4ff0713b07)},
	[CPU_FLOAT] = {cpu_float, 4, UINT64_C(0x18aca7a9a)},
	[CPU_FMA] = {cpu_fma, 16, UINT64_C(0xfbe2303879e65200)},
	[CPU_HASH] = {cpu_hash, 8, UINT64_C(0x756d4c285b686f3)},
	[CPU_INT] = {cpu_int, 16, UINT64_C(0x413228a24064b490)},
	[CPU_MATRIXPROD] = {cpu_matrixprod, 18, UINT64_C(0x59850912a803)},
	[CPU_MWC] = {cpu_mwc, 8, UINT64_C(0x9bc562e05b98)},
	[CPU_PRIME] = {cpu_prime, 10, UINT64_C(5989301)},
	[CPU_QUEENS] = {cpu_queens, 10, UINT64_C(724)},
	[CPU_SIEVE] = {cpu_sieve, 8, UINT64_C(2867816043)},
	[CPU_SORT] = {cpu_sort, 8, UINT64_C(0x54e8f8297708b0)},
	[CPU_TRIG] = {cpu_trig, 8, UINT64_C(0xd3b9dcf267090e09)},
	[CPU_VECTOR] = {cpu_vector, 8, UINT64_C(0x1606b0dd20)},
};
// clang-format on
