// SPDX-License-Identifier: GPL-2.0-or-later
#include "key.h"
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

/* Names one after the other, and their numbers in the same order: without pointers, which
 * would have to be relocated at each start. */
struct names {
	const char *text;
	const uint16_t *number;
	size_t n;
};

#define CALL(name) #name "\0"
static const char call_text[] =
#include "calls.h"
	;
#undef CALL

#define CALL(name) SYS_##name,
static const uint16_t call_numbers[] = {
#include "calls.h"
};
#undef CALL

/* The last four: include/linux/errno.h. */
#define ERROR(name) #name "\0"
static const char error_text[] =
#include "errors.h"
	"ERESTARTSYS\0ERESTARTNOINTR\0ERESTARTNOHAND\0ERESTART_RESTARTBLOCK";
#undef ERROR

#define ERROR(name) name,
static const uint16_t error_numbers[] = {
#include "errors.h"
	512, 513, 514, 516};
#undef ERROR

static const char *find(const struct names *t, unsigned int number, char buf[NAMES_SIZE])
{
	const char *name = t->text;

	for (size_t i = 0; i < t->n; i++, name += strlen(name) + 1)
		if (t->number[i] == number)
			return name;
	snprintf(buf, NAMES_SIZE, "%u", number);
	return buf;
}

const char *names_call(unsigned int number, char buf[NAMES_SIZE])
{
	static const struct names calls = {
		call_text, call_numbers, SM_ARRAY_SIZE(call_numbers)};

	return number == KEY_OTHERS ? "others" : find(&calls, number, buf);
}

const char *names_error(int error, char buf[NAMES_SIZE])
{
	static const struct names errors = {
		error_text, error_numbers, SM_ARRAY_SIZE(error_numbers)};

	return find(&errors, (unsigned int)error, buf);
}
