// SPDX-License-Identifier: GPL-2.0-or-later
/* pagetruth: counts the pages of a process entry by entry.  The text of --help is below.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static const char help_text[] =
	"Usage: pagetruth [-m | -p] [-s] PID [START END]\n"
	"Reads each entry of /proc/PID/pagemap that belongs to a mapping, or to the part "
	"of it\n"
	"between the addresses, which are hexadecimal, and prints the totals:\n"
	"total mappings=N pages=N present=N file=N zero=N huge=N guard=N swap=N dirty=N\n"
	"exclusive=N how=read\n"
	"\n"
	"  -m  a line for each mapping before it: map START END pages=N ... NAME\n"
	"  -p  a line for each page that is not empty: ADDRESS ENTRY LETTERS\n"
	"  -s  leaves out what PAGEMAP_SCAN reports as empty; then how=scan+read\n"
	"\n"
	"file, zero and huge are of the present pages; swap is without guard pages.  The "
	"zero page\n"
	"is known by the frame of one of pagetruth's own, which takes CAP_SYS_ADMIN; "
	"without\n"
	"it zero=-. huge is the sum of smaps (AnonHugePages, ShmemPmdMapped, "
	"FilePmdMapped,\n"
	"Private_Hugetlb, Shared_Hugetlb) of whole mappings, and the huge zero pages "
	"found;\n"
	"huge=- for a part of a mapping. file is without the huge zero page, whose "
	"entries have the\n"
	"bit of files, and is wrong by it without CAP_SYS_ADMIN.\n";

enum { DIRTY = 55, EXCLUSIVE = 56, GUARD = 58, FILE_PAGE = 61, SWAP = 62, PRESENT = 63 };
#define FRAME(entry) ((entry) & ((UINT64_C(1) << 55) - 1))
#define AT_ONCE	     ((size_t)131072)

struct counts {
	uint64_t mappings, pages, present, file, zero, huge_zero, huge, guard, swap,
		dirty, exclusive;
	bool whole; /* all of its mappings: huge is valid */
};

struct map {
	uint64_t start, end;
	char *name;
};

static int pagemap = -1;
static uint64_t page_bytes, zero_frame, huge_zero_frame, huge_pages;
static bool per_map, per_page, by_scan;
static FILE *smaps;

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "pagetruth: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool bit(uint64_t entry, int n)
{
	return entry >> n & 1;
}

/* --- the frames of the zero pages, from mappings of its own --- */

static uint64_t own_frame(const char *at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	(void)*(const volatile char *)at;
	if (pread(fd, &entry, 8, (off_t)((uintptr_t)at / page_bytes * 8)) != 8)
		die("/proc/self/pagemap");
	close(fd);
	return bit(entry, PRESENT) ? FRAME(entry) : 0;
}

static char *own_pages(size_t bytes, int advice)
{
	char *p = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	(void)madvise(p, bytes, advice);
	return p;
}

/* If a read of a page in the middle of an aligned area has made the first one present,
 * too, it was the huge zero page. */
static void find_zero(void)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "re");
	uint64_t bytes = 0, middle;
	char *p;

	zero_frame = own_frame(own_pages(page_bytes, MADV_NOHUGEPAGE));
	if (!f || fscanf(f, "%" SCNu64, &bytes) != 1 || bytes == 0)
		bytes = 0;
	if (f)
		fclose(f);
	if (!bytes || !zero_frame)
		return;
	huge_pages = bytes / page_bytes;
	p = own_pages((size_t)(2 * bytes), MADV_HUGEPAGE);
	p += bytes - (uintptr_t)p % bytes;
	middle = own_frame(p + bytes / 2);
	if (middle != zero_frame)
		huge_zero_frame = middle - huge_pages / 2;
}

/* --- counting --- */

static bool is_huge_zero(uint64_t frame)
{
	return huge_zero_frame && frame >= huge_zero_frame &&
	       frame < huge_zero_frame + huge_pages;
}

static bool is_zero(uint64_t entry)
{
	return bit(entry, PRESENT) && zero_frame &&
	       (FRAME(entry) == zero_frame || is_huge_zero(FRAME(entry)));
}

/* The entries of the huge zero page have the bit, too. */
static bool is_file(uint64_t entry)
{
	return bit(entry, PRESENT) && bit(entry, FILE_PAGE) &&
	       !is_huge_zero(FRAME(entry));
}

static void count_entry(struct counts *c, uint64_t e)
{
	bool present = bit(e, PRESENT);

	c->present += present;
	c->file += is_file(e);
	c->exclusive += present && bit(e, EXCLUSIVE);
	c->zero += is_zero(e);
	c->huge_zero += present && is_huge_zero(FRAME(e));
	c->guard += bit(e, GUARD);
	c->swap += bit(e, SWAP) && !bit(e, GUARD);
	c->dirty += bit(e, DIRTY);
}

static void print_entry(uint64_t address, uint64_t e)
{
	if (e == 0)
		return;
	printf("%" PRIx64 " %016" PRIx64 " %s%s%s%s%s%s%s\n", address, e,
		bit(e, PRESENT) ? "P" : "", is_file(e) ? "M" : "", is_zero(e) ? "Z" : "",
		bit(e, EXCLUSIVE) ? "E" : "", bit(e, DIRTY) ? "D" : "",
		bit(e, GUARD) ? "G" : "", bit(e, SWAP) && !bit(e, GUARD) ? "S" : "");
}

/* Entries of [start, end); what lies above user memory has none. */
static void count_range(struct counts *c, uint64_t start, uint64_t end)
{
	static uint64_t entries[AT_ONCE];

	while (start < end) {
		uint64_t want = (end - start) / page_bytes;
		ssize_t got;

		if (want > AT_ONCE)
			want = AT_ONCE;
		got = pread(pagemap, entries, (size_t)want * 8,
			(off_t)(start / page_bytes * 8));
		if (got < 0)
			die("pagemap");
		if (got == 0)
			return;
		for (ssize_t i = 0; i < got / 8; i++) {
			count_entry(c, entries[i]);
			if (per_page)
				print_entry(start + (uint64_t)i * page_bytes, entries[i]);
		}
		start += (uint64_t)got / 8 * page_bytes;
	}
}

/* --- leaving out what is empty --- */

/* struct pm_scan_arg and PAGEMAP_SCAN of include/uapi/linux/fs.h */
struct scan {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t inverted, mask, anyof_mask, return_mask;
};
struct run {
	uint64_t start, end, categories;
};
#define SCAN _IOWR('f', 16, struct scan)

static long scan(uint64_t start, uint64_t end, struct run *runs, size_t n)
{
	/* present, swapped, soft-dirty; guard pages are swapped, too */
	const uint64_t any = 8 | 16 | 128;
	struct scan s = {.size = sizeof(s),
		.start = start,
		.end = end,
		.vec = (uint64_t)(uintptr_t)runs,
		.vec_len = n,
		.anyof_mask = any,
		.return_mask = any};
	int got = ioctl(pagemap, (int)SCAN, &s);

	if (got < 0)
		die("PAGEMAP_SCAN");
	return got;
}

static void count_found(struct counts *c, uint64_t start, uint64_t end)
{
	struct run runs[512]; /* with more, the kernel's answer is wrong */
	long n;

	do {
		n = scan(start, end, runs, 512);
		for (long i = 0; i < n; i++)
			count_range(c, runs[i].start, runs[i].end);
		if (n)
			start = runs[n - 1].end;
	} while (n == 512 && start < end);
}

/* --- mappings --- */

static const char *const huge_keys[] = {"AnonHugePages:", "ShmemPmdMapped:",
	"FilePmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:"};

/* Huge pages of the mapping, from its entry of smaps, which come in the order of maps. */
static uint64_t smaps_huge(uint64_t start)
{
	static char *line;
	static size_t size;
	uint64_t at, end, kb, sum = 0;
	bool here = false;

	while (getline(&line, &size, smaps) > 0) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &at, &end) == 2) {
			here = at == start;
			continue;
		}
		for (size_t i = 0; here && i < sizeof(huge_keys) / sizeof(huge_keys[0]);
			i++)
			if (strncmp(line, huge_keys[i], strlen(huge_keys[i])) == 0 &&
				sscanf(line + strlen(huge_keys[i]), "%" SCNu64, &kb) == 1)
				sum += kb * 1024 / page_bytes;
		if (here && strncmp(line, "VmFlags:", 8) == 0)
			return sum;
	}
	errno = ENODATA;
	die("smaps");
}

static void print_counts(const struct counts *c)
{
	printf("pages=%" PRIu64 " present=%" PRIu64 " file=%" PRIu64, c->pages,
		c->present, c->file);
	if (zero_frame)
		printf(" zero=%" PRIu64, c->zero);
	else
		printf(" zero=-");
	if (c->whole)
		printf(" huge=%" PRIu64, c->huge + c->huge_zero);
	else
		printf(" huge=-");
	printf(" guard=%" PRIu64 " swap=%" PRIu64 " dirty=%" PRIu64 " exclusive=%" PRIu64,
		c->guard, c->swap, c->dirty, c->exclusive);
}

/* Control characters and bytes above 0x7e as \ooo, as the newline is by the kernel. */
static void print_name(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= ' ' && (unsigned char)*s < 0x7f)
			putchar(*s);
		else
			printf("\\%03o", (unsigned char)*s);
}

static void add(struct counts *to, const struct counts *c)
{
	to->mappings++;
	to->pages += c->pages;
	to->present += c->present;
	to->file += c->file;
	to->zero += c->zero;
	to->huge_zero += c->huge_zero;
	to->huge += c->huge;
	to->guard += c->guard;
	to->swap += c->swap;
	to->dirty += c->dirty;
	to->exclusive += c->exclusive;
	to->whole = to->whole && c->whole;
}

static void count_map(
	struct counts *total, const struct map *m, uint64_t from, uint64_t to)
{
	uint64_t start = m->start > from ? m->start : from,
		 end = m->end < to ? m->end : to;
	struct counts c = {.whole = start == m->start && end == m->end};

	if (start >= end)
		return;
	c.pages = (end - start) / page_bytes;
	if (by_scan && end <= UINT64_C(0x7ffffffff000))
		count_found(&c, start, end);
	else
		count_range(&c, start, end);
	if (c.whole)
		c.huge = smaps_huge(start);
	add(total, &c);
	if (!per_map)
		return;
	printf("map %" PRIx64 " %" PRIx64 " ", start, end);
	print_counts(&c);
	putchar(' ');
	print_name(m->name);
	putchar('\n');
}

/* The name is what follows the blanks behind the fifth field. */
static bool parse_map(char *line, struct map *m)
{
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*4c %*x %*x:%*x %*u%n", &m->start,
		    &m->end, &at) != 2 ||
		at == 0)
		return false;
	m->name = line + at + strspn(line + at, " ");
	return true;
}

static FILE *open_file(const char *pid, const char *name)
{
	char path[80];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	f = fopen(path, "re");
	if (!f)
		die(path);
	return f;
}

static void count_all(const char *pid, uint64_t from, uint64_t to)
{
	struct counts total = {.whole = true};
	FILE *maps = open_file(pid, "maps");
	char *line = NULL;
	size_t size = 0;
	struct map m;

	pagemap = fileno(open_file(pid, "pagemap"));
	smaps = open_file(pid, "smaps");
	while (getline(&line, &size, maps) > 0)
		if (parse_map(line, &m))
			count_map(&total, &m, from, to);
	if (ferror(maps))
		die("maps");
	printf("total mappings=%" PRIu64 " ", total.mappings);
	print_counts(&total);
	printf(" how=%s\n", by_scan ? "scan+read" : "read");
}

static void __attribute__((noreturn)) usage(void)
{
	fprintf(stderr, "pagetruth: bad arguments\nTry 'pagetruth --help'\n");
	exit(2);
}

static uint64_t number(const char *s, int base)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(s, &end, base);
	if (end == s || *end || errno || *s == '-')
		usage();
	return n;
}

int main(int argc, char **argv)
{
	uint64_t from = 0, to = UINT64_MAX;

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return fputs(help_text, stdout) < 0 || fflush(stdout);
	for (int opt; (opt = getopt(argc, argv, "mps")) != -1;) {
		per_map = per_map || opt == 'm';
		per_page = per_page || opt == 'p';
		by_scan = by_scan || opt == 's';
		if (opt == '?')
			usage();
	}
	argc -= optind;
	argv += optind;
	if ((argc != 1 && argc != 3) || number(argv[0], 10) == 0)
		usage();
	if (argc == 3) {
		from = number(argv[1], 16);
		to = number(argv[2], 16);
	}
	page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	find_zero();
	count_all(argv[0], from, to);
	return fflush(stdout) ? 1 : 0;
}
