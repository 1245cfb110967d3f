// SPDX-License-Identifier: GPL-2.0-or-later
#include "wakeup.h"

const char *wakeup_cause_name(uint32_t cause)
{
	static const char *const names[SM_WAKE_CAUSES] = {
		[SM_WAKE_UNKNOWN] = "unknown",
		[SM_WAKE_CLOCK] = "clock",
		[SM_WAKE_IRQ] = "irq",
		[SM_WAKE_HRTIMER] = "hrtimer",
		[SM_WAKE_WHEEL] = "wheel",
		[SM_WAKE_CALL] = "call",
		[SM_WAKE_RESCHEDULE] = "reschedule",
		[SM_WAKE_FLAG] = "flag",
		[SM_WAKE_VECTOR] = "vector",
		[SM_WAKE_LIMIT] = "limit",
	};

	return cause < SM_WAKE_CAUSES ? names[cause] : "";
}

bool wakeup_is_timer(uint32_t cause)
{
	return cause == SM_WAKE_HRTIMER || cause == SM_WAKE_WHEEL;
}

bool wakeup_has_sender(uint32_t cause)
{
	return cause == SM_WAKE_CALL || cause == SM_WAKE_RESCHEDULE ||
	       cause == SM_WAKE_FLAG;
}

bool wakeup_has_task(const struct wakeup *w)
{
	if (w->cause == WAKEUP_SEVERAL || wakeup_is_timer(w->cause))
		return true;
	return wakeup_has_sender(w->cause) && w->who.tid != 0;
}
