/* SPDX-License-Identifier: MIT */
/* Reader of Nsight Systems' databases: processes and threads, by their global numbers. */
#include "formats/nsys/tr_nsys_int.h"

struct tr__tables_process *tr__nsys_process(struct tr__nsys *r, int64_t global)
{
    uint64_t key = (uint64_t)global >> 24;
    return tr__tables_process(r->t, key, (int64_t)(key & 0xffffff));
}

enum tr_status tr__nsys_on_thread(struct tr__nsys *r, int64_t global)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    if (global != TR_I64_NONE) {
        const struct tr__tables_process *p = tr__nsys_process(r, global);
        if (!p)
            return TR_SYSTEM;
        at.pid = p->pid;
        at.tid = tr__nsys_tid(global) ? tr__nsys_tid(global) : TR_I64_NONE; /* a globalPid */
    }
    tr_ingest_track(r->t->g, &at);
    return TR_OK;
}
