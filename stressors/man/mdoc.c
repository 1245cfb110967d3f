// SPDX-License-Identifier: GPL-2.0-or-later
#include "mdoc.h"

#include <string.h>

#define COLUMNS 80u

/* ---- words ---- */

static bool is_space(char c)
{
	return c == ' ' || c == '\n';
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

static size_t count_at_end(struct sm_str s, const char *chars)
{
	size_t n = 0;

	while (n < s.n && strchr(chars, s.p[s.n - 1 - n]))
		n++;
	return n;
}

/* Returns whether the word is a reference such as "name(3)". */
static bool is_page(struct sm_str w)
{
	if (w.n < 4 || !is_letter(w.p[0]) || w.p[w.n - 1] != ')' ||
		!is_digit(w.p[w.n - 2]) || w.p[w.n - 3] != '(')
		return false;
	for (size_t i = 0; i < w.n - 3; i++)
		if (!is_name(w.p[i]))
			return false;
	return true;
}

/* Returns the length of the punctuation at the end: 1 for "fork(2),", 2 for "--cpu),". */
static size_t punctuation(struct sm_str word)
{
	size_t n = count_at_end(word, ",.;:");

	if (is_page((struct sm_str){word.p, word.n - n}))
		return n;
	return count_at_end(word, ",.;:)");
}

static const char *macro_of(struct sm_str w)
{
	if (w.n > 2 && w.p[0] == '-' && w.p[1] == '-' && is_letter(w.p[2]))
		return "Fl";
	if (w.n > 1 && w.p[0] == '/' && is_letter(w.p[1]))
		return "Pa";
	return is_page(w) ? "Xr" : NULL;
}

/* Prints the word as the arguments of its macro. */
static void put_arguments(struct sm_buf *b, const char *macro, struct sm_str w)
{
	if (strcmp(macro, "Fl") == 0)
		sm_buf_add(b, w.p + 1, w.n - 1);
	else if (strcmp(macro, "Xr") == 0)
		sm_buf_printf(b, "%.*s %c", (int)w.n - 3, w.p, w.p[w.n - 2]);
	else
		sm_buf_add(b, w.p, w.n);
}

/* ---- lines ---- */

struct line {
	struct sm_buf *b;
	size_t begin; /* offset of the line in b */
};

static void line_end(struct line *l)
{
	if (l->b->len > l->begin)
		sm_buf_chr(l->b, '\n');
	l->begin = l->b->len;
}

static void put_macro(
	struct line *l, const char *macro, struct sm_str w, struct sm_str after)
{
	line_end(l);
	sm_buf_printf(l->b, ".%s ", macro);
	put_arguments(l->b, macro, w);
	for (size_t i = 0; i < after.n; i++)
		sm_buf_printf(l->b, " %c", after.p[i]);
	line_end(l);
}

static bool ends_sentence(struct sm_str w)
{
	if (w.n > 1 && w.p[w.n - 1] == ')')
		w.n--;
	return w.n > 1 && w.p[w.n - 1] == '.';
}

static void put_plain(struct line *l, struct sm_str w, const char *end)
{
	size_t n = l->b->len - l->begin;

	if (n && n + 1 + w.n + strlen(end) > COLUMNS)
		line_end(l);
	else if (n)
		sm_buf_chr(l->b, ' ');
	if (l->b->len == l->begin && strchr(".'", w.p[0]))
		sm_buf_str(l->b, "\\&");
	for (size_t i = 0; i < w.n; i++)
		if (w.p[i] == '\\')
			sm_buf_str(l->b, "\\e");
		else
			sm_buf_chr(l->b, w.p[i]);
	sm_buf_str(l->b, end);
	if (ends_sentence(w))
		line_end(l);
}

static void put_word(struct line *l, struct sm_str w, const char *end)
{
	size_t after = punctuation(w);
	struct sm_str bare = {w.p, w.n - after};
	const char *macro = macro_of(bare);

	if (macro && *end)
		put_macro(l, macro, bare, (struct sm_str){end, strlen(end)});
	else if (macro)
		put_macro(l, macro, bare, (struct sm_str){w.p + bare.n, after});
	else
		put_plain(l, w, end);
}

static size_t skip_spaces(struct sm_str text, size_t i)
{
	while (i < text.n && is_space(text.p[i]))
		i++;
	return i;
}

void mdoc_text(struct sm_buf *b, struct sm_str text, const char *end)
{
	struct line l = {b, b->len};
	size_t i = skip_spaces(text, 0), begin, next;

	for (; i < text.n; i = next) {
		begin = i;
		while (i < text.n && !is_space(text.p[i]))
			i++;
		next = skip_spaces(text, i);
		put_word(&l, (struct sm_str){text.p + begin, i - begin},
			next < text.n ? "" : end);
	}
	line_end(&l);
}

void mdoc_sentence(struct sm_buf *b, struct sm_str text)
{
	size_t at = b->len;
	char *first;

	mdoc_text(b, text, count_at_end(text, ".:") ? "" : ".");
	if (sm_buf_error(b) || b->len == at)
		return;
	first = b->p + at;
	if (is_letter(*first))
		*first = (char)(*first - 'a' + 'A');
}

/* ---- names ---- */

static void names_line(struct mdoc_names *names)
{
	names->begin = names->b->len;
	sm_buf_printf(names->b, ".%s ", names->macro);
}

void mdoc_name(struct mdoc_names *names, struct sm_str name)
{
	size_t n = names->b->len - names->begin;

	if (!names->any) {
		names_line(names);
	} else if (n + strlen(" , ") + name.n + strlen(" ,") > COLUMNS) {
		sm_buf_str(names->b, " ,\n");
		names_line(names);
	} else {
		sm_buf_str(names->b, " , ");
	}
	names->any = true;
	sm_buf_add(names->b, name.p, name.n);
}

void mdoc_names_end(struct mdoc_names *names, const char *end)
{
	if (!names->any)
		return;
	if (*end)
		sm_buf_printf(names->b, " %s", end);
	sm_buf_chr(names->b, '\n');
}
