// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "ksymname.bpf.h"
#include "proc/ksymname.h"

static int load(struct sm_ksymname *k, const struct sm_root *root)
{
	static const char format[4] = "%ps";
	SM_CLEANUP(sm_bpf_loader_close) struct sm_bpf_loader l;
	int err = sm_bpf_loader_open(&l, &ksymname_bpf, root, NULL);

	if (!err)
		err = sm_bpf_loader_set(&l, MAP_FORMAT, format);
	if (!err)
		err = sm_bpf_loader_array(&l, MAP_BATCH, &k->batch);
	if (err)
		return err;
	k->prog_fd = sm_bpf_loader_load(&l, PROGRAM_NAME_SYMBOLS);
	return k->prog_fd < 0 ? k->prog_fd : 0;
}

int sm_ksymname_open(struct sm_ksymname *k, const struct sm_root *root)
{
	int err;

	*k = (struct sm_ksymname)SM_KSYMNAME_INIT;
	if (!root->live || sizeof(void *) != 8)
		return -ENOTSUP;
	err = load(k, root);
	if (err)
		sm_ksymname_close(k);
	return err;
}

int sm_ksymname_run(const struct sm_ksymname *k)
{
	return sm_bpf_prog_run(k->prog_fd);
}

void sm_ksymname_close(struct sm_ksymname *k)
{
	sm_base_close_fd(&k->prog_fd);
	sm_bpf_array_close(&k->batch);
}
