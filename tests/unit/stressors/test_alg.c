// SPDX-License-Identifier: GPL-2.0-or-later
/* Which entries of /proc/crypto may be used. */
#include <string.h>

#include "stressors/alg/alg.h"
#include "unit.h"

#define MOST 8

static struct alg alg[MOST];
static unsigned int all;

static size_t parse(const char *text)
{
	memset(alg, 0, sizeof(alg));
	return alg_parse(text, strlen(text), alg, MOST, &all);
}

#define CIPHER                                                                         \
	"name         : cbc(aes)\ndriver       : cbc-aes-aesni\nmodule       : "       \
	"aesni_intel\ninternal     : no\ntype         : skcipher\nasync        : "     \
	"no\nblocksize    : 16\nmin keysize  : 16\nmax keysize  : 32\nivsize       : " \
	"16\n"

START_TEST(numbers)
{
	ck_assert_uint_eq(
		parse(CIPHER "\nname         : gcm(aes)\ndriver       : "
			     "generic-gcm-aesni\ntype         : aead\nivsize    "
			     "   : 12\nmaxauthsize  : 16\n\n"),
		2);
	ck_assert_uint_eq(all, 2);
	ck_assert_str_eq(alg[0].driver, "cbc-aes-aesni");
	ck_assert_int_eq(alg[0].kind, ALG_SKCIPHER);
	ck_assert_uint_eq(alg[0].min_key, 16);
	ck_assert_uint_eq(alg[0].max_key, 32);
	ck_assert_uint_eq(alg[0].iv, 16);
	ck_assert_int_eq(alg[1].kind, ALG_AEAD);
	ck_assert_uint_eq(alg[1].tag, 16);
	ck_assert_uint_eq(alg[1].max_key, 0);
}
END_TEST

/* The last entry may have no empty line after it. */
START_TEST(end_of_text)
{
	ck_assert_uint_eq(parse(CIPHER), 1);
	ck_assert_uint_eq(parse(""), 0);
	ck_assert_uint_eq(parse("\n\n: \nname\n\n"), 0);
	ck_assert_uint_eq(all, 0);
}
END_TEST

START_TEST(left_out)
{
	char text[1024];
	static const char *const entries[] = {
		"name : lzo\ndriver : lzo-generic\ntype : scomp\n\n",
		"name : cbc(aes)\ndriver : __cbc\ninternal : yes\ntype : skcipher\n\n",
		"name : kw(aes)\ndriver : kw(x)\ntype : skcipher\n\n",
		"name : echainiv(x)\ndriver : y\ntype : aead\n\n",
		"name : x\ndriver : y\ntype : skcipher\nivsize : 65\n\n",
		"name : x\ntype : shash\ndigestsize : 4\n\n",
		"name : digest_null\ndriver : y\ntype : shash\ndigestsize : 0\n\n",
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(entries); i++) {
		ck_assert_uint_eq(parse(entries[i]), 0);
		ck_assert_uint_eq(all, 1);
	}
	memset(text, 'a', sizeof(text));
	memcpy(text, "driver : ", 9);
	strcpy(text + 9 + ALG_NAME_BYTES, "\nname : x\ntype : rng\n\n");
	ck_assert_uint_eq(parse(text), 0);
}
END_TEST

/* No more than there is room for. */
START_TEST(many)
{
	char text[4096] = "";

	for (unsigned int i = 0; i < MOST + 2; i++)
		strcat(text, "name : x\ndriver : y\ntype : rng\n\n");
	ck_assert_uint_eq(parse(text), MOST);
}
END_TEST

static TCase *tc_alg(void)
{
	TCase *tc = tcase_create("alg");

	tcase_add_test(tc, numbers);
	tcase_add_test(tc, end_of_text);
	tcase_add_test(tc, left_out);
	tcase_add_test(tc, many);
	return tc;
}

UNIT_MAIN("alg", tc_alg)
