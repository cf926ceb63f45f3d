/* SPDX-License-Identifier: MIT */
/* Joins the pieces of a source in their order: findings are added up, and rows go to the sort. */
#include "ingest/tr_ingest_int.h"

#include <stdlib.h>

#define MANY_NAMES 65536u /* events that name tracks: some traces repeat them */

enum tr_status tr__lane_failed(const struct tr__lane *lane, struct tr_error *err)
{
    if (lane->interner.full)
        return tr_fail(err, TR_SYSTEM, "its texts, tracks and sets of args need more memory than -M allows");
    return tr_fail_memory(err);
}

enum tr_status tr__piece_sort(struct tr__piece *pc, struct tr_error *err)
{
    size_t n = pc->n_refs > pc->n_ends ? pc->n_refs : pc->n_ends;
    struct tr_row_ref *tmp = malloc((n ? n : 1) * sizeof *tmp);
    if (!tmp)
        return tr_fail_memory(err);
    tr_refs_sort(pc->refs, tmp, pc->n_refs, NULL);
    tr_refs_sort(pc->ends, tmp, pc->n_ends, NULL);
    free(tmp);
    return TR_OK;
}

static void add_summary(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    to->n_events += from->n_events;
    for (size_t i = 0; i < TR_N_PHASES; i++)
        to->n_phase[i] += from->n_phase[i];
    for (size_t i = 0; i < TR_N_ACTIVITIES; i++)
        to->n_activity[i] += from->n_activity[i];
    for (size_t i = 0; i < TR_N_SUSPECTS; i++)
        to->n_suspect[i] += from->n_suspect[i];
    tr__widen(&to->first_ts, &to->last_end, from->first_ts, from->last_end);
}

#define APPEND(to, n_to, cap_to, from, n_from)                                                          \
    (tr_grow(&(to), &(cap_to), (n_to) + (n_from), sizeof *(to)) &&                                      \
     ((n_from) ? (void)memcpy((to) + (n_to), (from), (n_from) * sizeof *(to)) : (void)0, (n_to) += (n_from), \
      true))

enum tr_status tr__piece_commit_findings(struct tr__file *f, struct tr__piece *pc, uint16_t interner,
                                         struct tr_error *err)
{
    uint64_t base = f->n_elements;
    enum tr_status st = TR_OK;
    bool ok = true;
    for (size_t i = 0; i < pc->n_refs; i++)
        ((struct tr_row *)(uintptr_t)pc->refs[i].row)->record += base;
    for (size_t i = 0; i < pc->n_ends; i++)
        ((struct tr_row *)(uintptr_t)pc->ends[i].row)->record += base;
    for (size_t i = 0; i < pc->n_work; i++)
        pc->work[i].record += base;
    for (size_t i = 0; st == TR_OK && i < pc->n_launches; i++) {
        const struct tr__launch *a = &pc->launches[i];
        struct tr_launch l = { .correlation = a->correlation, .ts = a->ts, .dur = a->dur,
                               .record = a->record + base, .track = a->track, .name = a->name,
                               .interner = a->interner };
        st = tr_launch_add(f->launches, &l, err);
    }
    for (size_t i = 0; ok && i < pc->sum.n_steps; i++) {
        struct tr__step_note note = { pc->sum.steps[i], interner };
        ok = APPEND(f->steps, f->n_steps, f->cap_steps, &note, 1);
    }
    if (pc->events_at != SIZE_MAX && !f->seen_events) {
        f->seen_events = true;
        f->events_at = f->n_header + pc->events_at;
    }
    if (st == TR_OK)
        st = tr_paged_add(&f->work, pc->work, pc->n_work, err);
    if (st == TR_OK)
        st = tr_paged_add(&f->arrows, pc->arrows, pc->n_arrows, err);
    if (st != TR_OK)
        return st;
    ok = ok && APPEND(f->names, f->n_names, f->cap_names, pc->names, pc->n_names) &&
         APPEND(f->header, f->n_header, f->cap_header, pc->header, pc->n_header);
    if (ok && f->n_names > MANY_NAMES && f->n_names > f->compact_at)
        ok = tr__names_compact(f);
    if (!ok)
        return tr_fail_memory(err);
    pc->n_header = 0; /* its strings belong to the file now */
    f->bare_array |= pc->bare_array;
    f->by_work |= pc->by_work;
    f->n_elements += pc->n_elements;
    f->n_negative_ts += pc->n_negative_ts;
    if (f->pid == TR_I64_NONE)
        f->pid = pc->pid;
    if (f->other_pid == TR_I64_NONE)
        f->other_pid = pc->other_pid;
    add_summary(&f->sum, &pc->sum);
    tr_damage_cause_add(&f->damage, &pc->damage);
    tr__widen(&f->first_from_0, &f->last_from_0, pc->first_from_0, pc->last_from_0);
    return TR_OK;
}

/* Starts and ends are copied to a separate sort, because few traces have any. */
enum tr_status tr__piece_commit_rows(struct tr__source_state *l, struct tr__piece *pc, struct tr_error *err)
{
    struct tr_row_arena copy = { .pool = l->pool };
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < pc->n_ends; i++) {
        unsigned char *mem = tr_row_arena_reserve(&copy, pc->ends[i].row->size);
        if (!mem) {
            tr_row_arena_release(&copy);
            return tr_fail_memory(err);
        }
        memcpy(mem, pc->ends[i].row, pc->ends[i].row->size);
        tr_row_arena_commit(&copy, pc->ends[i].row->size);
        pc->ends[i].row = (const struct tr_row *)(void *)mem;
    }
    if (pc->n_ends > 0)
        st = tr_external_sort_add(l->file.ends, &copy, pc->ends, pc->n_ends, err);
    return st == TR_OK ? tr_external_sort_add(l->runs, &pc->rows, pc->refs, pc->n_refs, err) : st;
}
