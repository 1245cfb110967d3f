/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number: numbers of any magnitude as text, for readers and for programs.
 *
 * The locale has no effect, and "nan" or "inf" is never written: a missing value is "-".  A caller that must
 * omit missing values checks for them.
 */
#ifndef STRESSORS_RESULT_NUMBER_H
#define STRESSORS_RESULT_NUMBER_H

#include "base/buf.h"

/* Returns the number of decimals that show four digits of v: 2 to 9. */
uint8_t number_decimals(double v);
/* 2206.50, 9.877, 0.01230, 1.500e-12 */
void number_text(struct sm_buf *b, double v);
/* 351, 9.877: as number_text(), but a whole number is written without decimals. */
void number_metric(struct sm_buf *b, double v);
/* 292, 3.21e9, 12.30: three digits where it has more than six. */
void number_short(struct sm_buf *b, double v);
/* 950.0, 2206.5, 12.1k, 3.4M: at most six columns below 10^15. */
void number_si(struct sm_buf *b, double v);
/* 4,413 */
void number_commas(struct sm_buf *b, uint64_t v);
/* A number of JSON and YAML with at least six digits: 292, 2206.500000, 0.012300000, 1.500000e-07 */
void number_machine(struct sm_buf *b, double v);

#endif
