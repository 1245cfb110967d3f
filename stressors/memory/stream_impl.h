/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_impl: the variants of x86-64, for stream.c. */
#ifndef STRESSORS_MEMORY_STREAM_IMPL_H
#define STRESSORS_MEMORY_STREAM_IMPL_H

#include "stream.h"

extern const struct stream_variant stream_sse2, stream_avx2, stream_avx512;

#endif
