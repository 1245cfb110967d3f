// SPDX-License-Identifier: GPL-2.0-or-later
#include "sysv.h"

#include <errno.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/shm.h>

#define TRIES 100

enum { A_KEY = 1, AN_ID = 2 };

static uint64_t note_of(uint32_t what, int number)
{
	return (uint64_t)what << 32 | (uint32_t)number;
}

/* IPC_PRIVATE is 0. */
static int new_key(key_t *key)
{
	if (getrandom(key, sizeof(*key), GRND_NONBLOCK) != sizeof(*key))
		return -EAGAIN;
	if (*key == IPC_PRIVATE)
		*key = 1;
	return 0;
}

int sysv_make(sysv_note *note, size_t bytes)
{
	key_t key;
	int id = -1, err = -EEXIST;

	for (unsigned int i = 0; i < TRIES && err == -EEXIST; i++) {
		err = new_key(&key);
		if (err)
			return err;
		atomic_store(note, note_of(A_KEY, key));
		id = shmget(key, bytes, IPC_CREAT | IPC_EXCL | 0600);
		err = id < 0 ? -errno : 0;
	}
	atomic_store(note, err ? 0 : note_of(AN_ID, id));
	return err ? err : id;
}

int sysv_remove(sysv_note *note)
{
	if (shmctl((int)(uint32_t)atomic_load(note), IPC_RMID, NULL) < 0)
		return -errno;
	atomic_store(note, 0);
	return 0;
}

bool sysv_sweep(sysv_note *note, pid_t maker)
{
	uint64_t left = atomic_exchange(note, 0);
	int id = (int)(uint32_t)left;
	struct shmid_ds is;

	if (!left)
		return false;
	if (left >> 32 == A_KEY)
		id = shmget((key_t)(uint32_t)left, 0, 0);
	return id >= 0 && shmctl(id, IPC_STAT, &is) == 0 && is.shm_cpid == maker &&
	       shmctl(id, IPC_RMID, NULL) == 0;
}
