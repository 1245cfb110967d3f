// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/start.h"
#include "interactive.h"
#include "pick.h"

#define READ_NS SM_NSEC_PER_SEC /* between two readings of the list */

struct pick {
	struct screen *screen;
	struct screen_input in;
	struct find_list list;
	uint64_t read_ns;
	pid_t chosen; /* 0: not yet */
	bool quit;
};

/* --- the child ------------------------------------------------------------------ */

static int read_list(struct run *r, struct pick *p, uint64_t now_ns)
{
	if (now_ns < p->read_ns)
		return 0;
	p->read_ns = now_ns + READ_NS;
	p->in.processes = &p->list;
	p->in.processes_generation++;
	return find_list_read(&p->list, &r->app.root);
}

static void take_keys(struct pick *p)
{
	struct screen_ask ask;

	if (sm_screen_keys(&p->screen->base) == SM_SCREEN_QUIT)
		p->quit = true;
	while (screen_take_ask(p->screen, &ask))
		if (ask.kind == ASK_WATCH)
			p->chosen = ask.pid;
}

static void take_signals(struct run *r, struct pick *p)
{
	uint64_t signals = sm_loop_take(&r->app.loop, NULL);

	if (signals & SM_SIGBIT(SIGWINCH))
		sm_tui_resized(&p->screen->base.tui);
	if (signals & ~(SM_SIGBIT(SIGWINCH) | SM_SIGBIT(SIGCHLD)))
		p->quit = true;
}

static int choose(struct run *r, struct pick *p)
{
	int err =
		sm_loop_add(&r->app.loop, p->screen->base.tui.key_fd, POLLIN, NULL, NULL);

	while (err >= 0 && !p->quit && !p->chosen) {
		p->in.now_ns = sm_clock_mono_ns();
		err = read_list(r, p, p->in.now_ns);
		if (err < 0)
			break;
		screen_arrange(p->screen, &p->in);
		screen_draw(p->screen, &p->in);
		err = sm_loop_wait(&r->app.loop, p->read_ns);
		take_keys(p);
		take_signals(r, p);
	}
	screen_close(p->screen);
	return err < 0 ? sm_app_refuse("/proc", err) : 0;
}

static int drop(struct run *r)
{
	return r->opts.app.keep_privileges ? 0
					   : sm_start_drop(0, false, r->opts.app.drop_to);
}

/* Runs the picker in the child.  Returns its exit code. */
static int child(struct run *r, int answer)
{
	const struct screen_settings set = {
		.zoom = 1, .ticks = 1, .interval_ns = READ_NS};
	struct pick p = {.list = FIND_LIST_INIT};
	int code = drop(r);

	if (!code)
		code = interactive_open(r, &p.screen, &set);
	if (!code)
		code = choose(r, &p);
	if (!code && p.chosen && write(answer, &p.chosen, sizeof(p.chosen)) < 0)
		code = sm_app_refuse("pipe", -errno);
	find_list_fini(&p.list);
	return code;
}

/* --- the parent ----------------------------------------------------------------- */

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return sm_app_refuse("wait", -errno);
	return WIFEXITED(status) ? WEXITSTATUS(status) : SM_EXIT_RUNTIME;
}

int pick_process(struct run *r, pid_t *pid)
{
	int answer[2], code;
	ssize_t n;
	pid_t picker;

	if (pipe2(answer, O_CLOEXEC) < 0)
		return sm_app_refuse("pipe", -errno);
	picker = fork();
	if (picker < 0)
		return sm_app_refuse("fork", -errno);
	if (picker == 0)
		_exit(child(r, answer[1]));
	close(answer[1]);
	code = wait_for(picker);
	n = read(answer[0], pid, sizeof(*pid));
	close(answer[0]);
	if (code)
		return code;
	return n == (ssize_t)sizeof(*pid) && *pid > 0 ? 0 : SM_APP_DONE;
}
