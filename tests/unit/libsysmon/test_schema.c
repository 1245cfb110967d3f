// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "format/schema.h"
#include "unit.h"

#define INT  "{\"type\": \"integer\"}"
#define NUM  "{\"type\": \"number\"}"
#define BOOL "{\"type\": \"boolean\"}"
#define STR  "{\"type\": \"string\"}"

#define HEAD(records)                                                                 \
	"{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"       \
	"  \"title\": \"A record of tool --json: one line\",\n"                       \
	"  \"description\": \"The keys are described in tool(5).\",\n"                \
	"  \"oneOf\": [" records "\n  ],\n"                                           \
	"  \"$defs\": {\n"                                                            \
	"    \"time\": {\"description\": \"ISO 8601 in UTC; with --timestamp=epoch, " \
	"mono or delta a number of seconds\", \"type\": [\"string\", \"number\"]}"
#define END "\n  }\n}\n"

#define ONE HEAD("\n    {\"$ref\": \"#/$defs/r\"}")

/* A record "r" with these lines of keys after "type". */
#define RECORD(properties, required)                                              \
	",\n    \"r\": {\n      \"type\": \"object\",\n      \"properties\": {\n" \
	"        \"type\": {\"const\": \"r\"}" properties "\n      },\n"          \
	"      \"required\": [\"type\"" required "],\n"                           \
	"      \"additionalProperties\": false\n    }"
#define KEY(name, type) ",\n        \"" name "\": " type

static void expect(const struct sm_record *records, const char *want)
{
	struct sm_buf b = {0};

	ck_assert_int_eq(sm_schema_print(&b, "tool", records), 0);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

static void expect_keys(const char *keys, const char *want)
{
	const struct sm_record records[] = {{"r", .keys = keys}, {0}};

	expect(records, want);
}

static void expect_wrong(const char *keys, size_t at)
{
	const struct sm_record records[] = {{"r", .keys = keys}, {"$d", .keys = "k: int"},
		{"ar", .keys = "k: int"}, {0}};
	struct sm_buf b = {0};
	char want[256];

	snprintf(want, sizeof(want), "r: wrong at byte %zu of \"%s\"\n", at, keys);
	sm_buf_str(&b, "before");
	ck_assert_int_eq(sm_schema_print(&b, "tool", records), -EINVAL);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

START_TEST(simple_types)
{
	expect_keys("i: int, n: num, b: bool, s: str, t: time",
		ONE RECORD(KEY("i", INT) KEY("n", NUM) KEY("b", BOOL) KEY("s", STR)
				   KEY("t", "{\"$ref\": \"#/$defs/time\"}"),
			", \"i\", \"n\", \"b\", \"s\", \"t\"") END);
}
END_TEST

START_TEST(bytes_of_others)
{
	expect_keys("t: text, a?: argv",
		ONE RECORD(KEY("t", STR) KEY("t_b64", STR)
				   KEY("a", "{\"type\": \"array\", \"items\": " STR "}")
					   KEY("a_b64", STR),
			", \"t\"") END);
	/* Words that begin like the types. */
	expect_keys("a: text|argv, b: texts|argv",
		ONE RECORD(KEY("a", "{\"enum\": [\"text\", \"argv\"]}")
				   KEY("b", "{\"enum\": [\"texts\", \"argv\"]}"),
			", \"a\", \"b\"") END);
	expect_keys("a: [text]",
		ONE RECORD(KEY("a", "{\"type\": \"array\", \"items\": " STR "}"),
			", \"a\"") END);
}
END_TEST

START_TEST(optional_keys)
{
	expect_keys("a?: int, b: int, c?: int",
		ONE RECORD(KEY("a", INT) KEY("b", INT) KEY("c", INT), ", \"b\"") END);
}
END_TEST

START_TEST(words)
{
	expect_keys("a: off|on | pkg+dram|of-max, b: |one, c: int|num",
		ONE RECORD(
			KEY("a",
				"{\"enum\": [\"off\", \"on\", \"pkg+dram\", \"of-max\"]}")
				KEY("b", "{\"enum\": [\"one\"]}")
					KEY("c", "{\"enum\": [\"int\", \"num\"]}"),
			", \"a\", \"b\", \"c\"") END);
}
END_TEST

START_TEST(objects)
{
	expect_keys(" o : { a : int , b ? : {c?: num} } , m: {*: [bool]}",
		ONE RECORD(KEY("o", "{\n"
				    "          \"type\": \"object\",\n"
				    "          \"properties\": {\n"
				    "            \"a\": " INT ",\n"
				    "            \"b\": {\n"
				    "              \"type\": \"object\",\n"
				    "              \"properties\": {\n"
				    "                \"c\": " NUM "\n"
				    "              },\n"
				    "              \"additionalProperties\": false\n"
				    "            }\n"
				    "          },\n"
				    "          \"required\": [\"a\"],\n"
				    "          \"additionalProperties\": false\n"
				    "        }") KEY("m",
				   "{\"type\": \"object\", \"additionalProperties\": "
				   "{\"type\": \"array\", \"items\": " BOOL "}}"),
			", \"o\", \"m\"") END);
}
END_TEST

START_TEST(descriptions)
{
	expect_keys("s: str (64 bits; {int}, a|b), n?: num(of all), t: text (name)",
		ONE RECORD(KEY("s", "{\"type\": \"string\", "
				    "\"description\": \"64 bits; {int}, a|b\"}") KEY("n",
				   "{\"type\": \"number\", \"description\": \"of all\"}")
				   KEY("t", "{\"type\": \"string\", "
					    "\"description\": \"name\"}")
					   KEY("t_b64", STR),
			", \"s\", \"t\"") END);
}
END_TEST

START_TEST(definitions)
{
	static const struct sm_record records[] = {
		{"r", .keys = "e: $estimate, l?: [$estimate]"},
		{"$estimate", .keys = "low?: num"}, {0}};

	/* A definition is no record and has no type; none of its keys is in all records.
	 */
	expect(records, ONE RECORD(KEY("e", "{\"$ref\": \"#/$defs/estimate\"}")
					   KEY("l", "{\"type\": \"array\", \"items\": "
						    "{\"$ref\": \"#/$defs/estimate\"}}"),
				", \"e\"") ",\n    \"estimate\": {\n"
					   "      \"type\": \"object\",\n"
					   "      \"properties\": {\n"
					   "        \"low\": " NUM "\n"
					   "      },\n"
					   "      \"additionalProperties\": false\n"
					   "    }" END);
}
END_TEST

/* All keys of sm_table_record_header(), and those of the tool. */
START_TEST(header)
{
	static const struct sm_record records[] = {
		{"header", .keys = "source: a|b"}, {.type = "r"}, {0}};

	expect(records,
		HEAD("\n    {\"$ref\": \"#/$defs/header\"},\n    {\"$ref\": "
		     "\"#/$defs/r\"}") ",\n    \"header\": {\n"
				       "      \"type\": \"object\",\n"
				       "      \"properties\": {\n"
				       "        \"type\": {\"const\": \"header\"},\n"
				       "        \"tool\": {\"const\": \"tool\"},\n"
				       "        \"version\": " STR ",\n"
				       "        \"schema\": {\"const\": 1},\n"
				       "        \"boot_id\": " STR ",\n"
				       "        \"start\": " STR ",\n"
				       "        \"source\": {\"enum\": [\"a\", \"b\"]}\n"
				       "      },\n"
				       "      \"required\": [\"type\", \"tool\", "
				       "\"version\", \"schema\", \"start\", "
				       "\"source\"],\n"
				       "      \"additionalProperties\": false\n"
				       "    }" RECORD("", "") END);
}
END_TEST

/* Columns without a key or a type are in no record; keys follow the columns. */
START_TEST(columns)
{
	static const struct sm_column cols[] = {{.key = "time", .json = "time"},
		{.head = "Human", .json = "int"}, {.key = "csv"},
		{.key = "comm", .member = "only in a group", .json = "?text"},
		{.key = "low_w", .json = "num (lowest)"}};
	static const struct sm_record records[] = {
		{"r", .columns = cols, .n = SM_ARRAY_SIZE(cols), .keys = "more: int"},
		{0}};

	expect(records,
		ONE RECORD(KEY("time", "{\"$ref\": \"#/$defs/time\"}") KEY(
				   "comm", STR) KEY("comm_b64", STR) KEY("low_w",
				   "{\"type\": \"number\", \"description\": \"lowest\"}")
				   KEY("more", INT),
			", \"time\", \"low_w\", \"more\"") END);
}
END_TEST

/* A group is at its first column; it and its keys are missing in some rows. */
START_TEST(groups)
{
	static const struct sm_column cols[] = {
		{.key = "cpu_user", .group = "cpu", .member = "user", .json = "num"},
		{.key = "pid", .json = "int"}, {.key = "csv", .group = "none"},
		{.key = "sys", .group = "cpu", .json = "?num"},
		{.key = "x", .group = "other", .json = "text"}};
	static const struct sm_record records[] = {
		{"r", .columns = cols, .n = SM_ARRAY_SIZE(cols)}, {0}};

	expect(records,
		ONE RECORD(KEY("cpu", "{\n"
				      "          \"type\": \"object\",\n"
				      "          \"properties\": {\n"
				      "            \"user\": " NUM ",\n"
				      "            \"sys\": " NUM "\n"
				      "          },\n"
				      "          \"additionalProperties\": false\n"
				      "        }") KEY("pid", INT) KEY("other",
				   "{\n"
				   "          \"type\": \"object\",\n"
				   "          \"properties\": {\n"
				   "            \"x\": " STR ",\n"
				   "            \"x_b64\": " STR "\n"
				   "          },\n"
				   "          \"additionalProperties\": false\n"
				   "        }"),
			", \"pid\"") END);
}
END_TEST

START_TEST(without_columns)
{
	static const struct sm_column cols[66] = {[0] = {.key = "a", .json = "int"},
		[1] = {.key = "b", .group = "g", .json = "int"},
		[2] = {.key = "c", .group = "h", .json = "int"},
		[3] = {.key = "d", .group = "h", .json = "int"},
		[62] = {.key = "y", .json = "int"},
		[63] = {.key = "z", .json = "int"},
		[65] = {.key = "last", .json = "int"}};
	static const struct sm_record records[] = {
		{"r", .columns = cols, .n = 66,
			.without = SM_COLUMN_BITS(0, 2) | SM_COLUMN_BITS(63, 63)},
		{0}};

	ck_assert_uint_eq(SM_COLUMN_BITS(0, 63), UINT64_MAX);
	ck_assert_uint_eq(SM_COLUMN_BITS(1, 3), 14);
	expect(records, ONE RECORD(KEY("h", "{\n"
					    "          \"type\": \"object\",\n"
					    "          \"properties\": {\n"
					    "            \"d\": " INT "\n"
					    "          },\n"
					    "          \"additionalProperties\": false\n"
					    "        }") KEY("y", INT) KEY("last", INT),
				", \"y\", \"last\"") END);
}
END_TEST

START_TEST(wrong_keys)
{
	expect_wrong("", 0);
	expect_wrong(" ", 1);
	expect_wrong("a", 1);
	expect_wrong("a int", 2);
	expect_wrong("a: int,", 7);
	expect_wrong("a: int b: int", 7);
	expect_wrong("a??: int", 2);
	expect_wrong("a: int }", 7);
	expect_wrong("\"a\": int", 0);
}
END_TEST

START_TEST(wrong_types)
{
	expect_wrong("a:", 2);
	expect_wrong("a: integer", 3);
	expect_wrong("a: int, b: {c: [word]}", 16);
	expect_wrong("a: b|", 5);
	expect_wrong("a: |", 4);
	expect_wrong("a: b||c", 5);
	expect_wrong("a: {}", 4);
	expect_wrong("a: {b: int", 10);
	expect_wrong("a: {b: int]", 10);
	expect_wrong("a: {* int}", 6);
	expect_wrong("a: {*: int", 10);
	expect_wrong("a: []", 4);
	expect_wrong("a: [int", 7);
	expect_wrong("a: $", 4);
	expect_wrong("a: $d, b: $other", 11);
	expect_wrong("a: $r", 4);
}
END_TEST

START_TEST(wrong_descriptions)
{
	expect_wrong("a: int (b", 9);
	expect_wrong("a: int (\"b\")", 8);
	expect_wrong("a: int (b\\)", 9);
	expect_wrong("a: int (b) (c)", 11);
}
END_TEST

/* 16 types in each other; in sequence there may be more. */
START_TEST(levels)
{
	struct sm_buf b = {0};
	static const struct sm_record records[] = {
		{"s", .keys = "a: [int], b: [int], c: [int], d: [int], e: [int], f: "
			      "[int], "
			      "g: [int], h: [int], i: [int]"},
		{"r", .keys = "a: [[[[[[[[[[[[[[[int]]]]]]]]]]]]]]]"}, {0}};

	ck_assert_int_eq(sm_schema_print(&b, "tool", records), 0);
	sm_buf_fini(&b);
	expect_wrong("a: [[[[[[[[[[[[[[[[int]]]]]]]]]]]]]]]]", 19);
	expect_wrong("a: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: {*: "
		     "{*: int}}}}}}}}}}}}}}}}",
		66);
	expect_wrong("a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: "
		     "{a: int}}}}}}}}}}}}}}}}",
		66);
}
END_TEST

START_TEST(wrong_columns)
{
	static const struct {
		struct sm_column column;
		const char *want;
	} cases[] = {
		{{.key = "a", .json = ""}, "r: wrong at byte 0 of \"\"\n"},
		{{.key = "a", .json = "?number"}, "r: wrong at byte 0 of \"number\"\n"},
		{{.key = "a", .json = "int, b: int"},
			"r: wrong at byte 3 of \"int, b: int\"\n"},
		{{.key = "a", .group = "g", .json = "[int"},
			"r: wrong at byte 4 of \"[int\"\n"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		/* The parser stops at the wrong text: the bad column after it is not
		 * reported. */
		const struct sm_column cols[] = {{.key = "ok", .json = "int"},
			cases[i].column, {.key = "z", .group = "g", .json = "]"}};
		const struct sm_record records[] = {
			{"r", .columns = cols, .n = 3, .keys = "?"}, {"s", .keys = "?"},
			{0}};
		struct sm_buf b = {0};

		ck_assert_int_eq(sm_schema_print(&b, "tool", records), -EINVAL);
		sm_buf_chr(&b, '\0');
		ck_assert_str_eq(b.p, cases[i].want);
		sm_buf_fini(&b);
	}
}
END_TEST

static TCase *tc_right(void)
{
	TCase *tc = tcase_create("right");

	tcase_add_test(tc, simple_types);
	tcase_add_test(tc, bytes_of_others);
	tcase_add_test(tc, optional_keys);
	tcase_add_test(tc, words);
	tcase_add_test(tc, objects);
	tcase_add_test(tc, descriptions);
	tcase_add_test(tc, definitions);
	tcase_add_test(tc, header);
	tcase_add_test(tc, columns);
	tcase_add_test(tc, groups);
	tcase_add_test(tc, without_columns);
	return tc;
}

static TCase *tc_wrong(void)
{
	TCase *tc = tcase_create("wrong");

	tcase_add_test(tc, wrong_keys);
	tcase_add_test(tc, wrong_types);
	tcase_add_test(tc, wrong_descriptions);
	tcase_add_test(tc, levels);
	tcase_add_test(tc, wrong_columns);
	return tc;
}

UNIT_MAIN("schema", tc_right, tc_wrong)
