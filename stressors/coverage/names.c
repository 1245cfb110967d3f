// SPDX-License-Identifier: GPL-2.0-or-later
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "calls.h"
#include "errors.h"
#include "key.h"

/* Names in one string, and their numbers in the order of the names.  Pointers would have
 * to be relocated at each start. */
struct names {
	const char *text;
	const uint16_t *number;
	size_t n;
};

#define TEXT(name)	   #name "\0"
#define CALL_NUMBER(name)  SYS_##name,
#define ERROR_NUMBER(name) name,

static const char call_text[] = CALLS(TEXT);
static const uint16_t call_numbers[] = {CALLS(CALL_NUMBER)};

/* The last four: include/linux/errno.h. */
static const char error_text[] =
	ERRORS(TEXT) "ERESTARTSYS\0ERESTARTNOINTR\0ERESTARTNOHAND\0ERESTART_RESTARTBLOCK";
static const uint16_t error_numbers[] = {ERRORS(ERROR_NUMBER) 512, 513, 514, 516};

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
