/* SPDX-License-Identifier: MIT */
/* Launches whose work, or whose call, is still to come. */
#include "service/tr_pending.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

void tr_pending_init(struct tr_pending *p, const struct tr_dict *dict, const void *none, size_t size)
{
    p->dict = dict;
    p->none = none;
    p->size = size;
}

void tr_pending_free(struct tr_pending *p)
{
    tr_eventmap_free(&p->entry_of);
    tr_freelist_free(&p->places);
    free(p->entries);
    free(p->of_user);
    free(p->launch_ts);
    free(p->launch_record);
    free(p->launch_track);
    free(p->n_device);
}

bool tr_pending_batch(struct tr_pending *p, const struct tr_batch *b)
{
    if (!tr_grow(&p->launch_record, &p->cap_record, b->n, sizeof *p->launch_record) ||
        !tr_grow(&p->launch_track, &p->cap_track, b->n, sizeof *p->launch_track) ||
        !tr_grow(&p->n_device, &p->cap_device, b->n, sizeof *p->n_device))
        return false;
    p->has_ts = false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, p->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, p->launch_track);
    tr_batch_expand_i64(b, TR_COL_N_DEVICE, 0, p->n_device);
    return true;
}

bool tr_pending_times(struct tr_pending *p, const struct tr_batch *b)
{
    if (p->has_ts)
        return true;
    p->has_ts = tr_grow(&p->launch_ts, &p->cap_ts, b->n, sizeof *p->launch_ts);
    if (p->has_ts)
        tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, p->launch_ts);
    return p->has_ts;
}

static bool add(struct tr_pending *p, uint32_t source, uint64_t record, uint64_t left, bool come, uint32_t *n)
{
    *n = tr_freelist_take(&p->places, &p->entries, sizeof *p->entries);
    if (*n == TR_PENDING_NONE)
        return false;
    p->entries[*n] = (struct tr_pending_entry){ left, record, source, come, true };
    if (!tr_grow(&p->of_user, &p->cap_user, p->places.n, p->size))
        return false;
    if (p->size == sizeof(int64_t)) /* without a call */
        memcpy(tr_pending_at(p, *n), p->none, sizeof(int64_t));
    else
        memcpy(tr_pending_at(p, *n), p->none, p->size);
    return tr_eventmap_put(&p->entry_of, source, record, *n);
}

bool tr_pending_is_early(const struct tr_pending *p, const struct tr_batch *b, size_t i)
{
    return tr_eventmap_has(&p->entry_of, p->dict->tracks[b->track[i]].source, b->record[i]);
}

bool tr_pending_call(struct tr_pending *p, const struct tr_batch *b, size_t i, bool wanted, uint32_t *n)
{
    uint32_t source = p->dict->tracks[b->track[i]].source;
    uint64_t due = wanted && p->n_device[i] > 0 ? (uint64_t)p->n_device[i] : 0;
    *n = tr_eventmap_get(&p->entry_of, source, b->record[i]);
    if (*n == TR_PENDING_NONE)
        return !due || add(p, source, b->record[i], due, true, n);
    struct tr_pending_entry *e = &p->entries[*n];
    e->left = due > e->left ? due - e->left : 0;
    e->come = true;
    return true;
}

bool tr_pending_work(struct tr_pending *p, const struct tr_batch *b, size_t i, uint32_t *n)
{
    *n = TR_PENDING_NONE;
    if (!tr_pending_is_linked(p, i))
        return true;
    uint32_t source = p->dict->tracks[p->launch_track[i]].source;
    uint64_t record = (uint64_t)p->launch_record[i];
    *n = tr_eventmap_get(&p->entry_of, source, record);
    if (*n == TR_PENDING_NONE) {
        if (!p->keep_all && !tr_pending_times(p, b))
            return false;
        if (!p->keep_all && p->launch_ts[i] < b->ts[i]) { /* it would have come */
            p->n_lost++;
            return true;
        }
        return add(p, source, record, 1, false, n);
    }
    struct tr_pending_entry *e = &p->entries[*n];
    if (!e->come)
        e->left++;
    else if (e->left)
        e->left--;
    return true;
}

void tr__pending_remove(struct tr_pending *p, uint32_t n)
{
    struct tr_pending_entry *e = &p->entries[n];
    e->used = false;
    tr_eventmap_remove(&p->entry_of, e->source, e->record);
    tr_freelist_give(&p->places, n);
}
