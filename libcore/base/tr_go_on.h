/* SPDX-License-Identifier: MIT */
/* A question to the caller of a long computation: is the result still wanted?  All zeros: it always is. */
#ifndef TR_GO_ON_H
#define TR_GO_ON_H

#include "base/tr_status.h"

#include <errno.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_go_on {
    bool (*ask)(void *self);
    void *self;
};

/* TR_SYSTEM, ECANCELED: it is not. */
static inline enum tr_status tr_go_on(const struct tr_go_on *g, struct tr_error *err)
{
    return !g->ask || g->ask(g->self) ? TR_OK : tr_fail_sys(err, ECANCELED, "the analysis was cancelled");
}

#ifdef __cplusplus
}
#endif
#endif
