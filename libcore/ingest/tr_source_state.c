/* SPDX-License-Identifier: MIT */
/* The state of reading a source: made at the start, released at the end. */
#include "ingest/tr_ingest_int.h"

#include "model/tr_rank.h"
#include "vendor/tr_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_DISTINCT ((size_t)64 << 20) /* bytes of distinct strings that a lane may always have */

bool tr__source_state_lane(struct tr__source_state *l, struct tr__lane *lane)
{
    if (!tr_grow(&l->lanes, &l->cap_lanes, l->n_lanes + 1, sizeof *l->lanes) ||
        !tr__interner_init(&lane->interner, l->decode, l->opts->spill))
        return false;
    lane->interner.names = l->opts->names;
    lane->interner_no = (uint16_t)l->n_lanes;
    lane->interner.max = l->opts->max_memory_bytes / l->n_threads;
    if (lane->interner.max < MIN_DISTINCT)
        lane->interner.max = MIN_DISTINCT;
    l->lanes[l->n_lanes++] = lane;
    return true;
}

static bool file_init(const struct tr__source_state *l, struct tr__file *f, const char *format, const char *name,
                      size_t place)
{
    size_t share = l->opts->max_memory_bytes / 16;
    f->sum.first_ts = f->sum.last_end = f->first_from_0 = f->last_from_0 = TR_TIME_NONE;
    f->sum.lag_min = f->sum.lag_max = TR_TIME_NONE;
    f->pid = f->other_pid = TR_I64_NONE;
    f->name = strdup(name);
    f->place = place;
    strncpy(f->format, format, sizeof f->format - 1);
    f->launches = tr_launch_new(share, l->opts->temp_dir);
    tr_paged_init(&f->work, sizeof(struct tr__device_work), share, l->opts->temp_dir);
    tr_paged_init(&f->arrows, sizeof(struct tr__arrow), share, l->opts->temp_dir);
    tr_paged_init(&f->launched, sizeof(uint32_t), share, l->opts->temp_dir);
    f->ends = tr_external_sort_new(2 * share, l->opts->temp_dir);
    return f->name && f->launches && f->ends;
}

/* Rules of the user that are needed after events have been read go with the stream.  False: out of memory. */
static bool add_name_roles(struct tr_side_tables *tables, const struct tr_names *names)
{
    struct tr_str section, text;
    if (!names || !tr_names_kept(names, 0, &section, &text))
        return true;
    struct tr_side_table *t = tr_side_table_new(TR_NAME_ROLES, UINT32_MAX);
    bool ok = t && tr_side_table_column(t, "section", TR_T_STRING) && tr_side_table_column(t, "name", TR_T_STRING);
    for (size_t i = 0; ok && tr_names_kept(names, i, &section, &text); i++)
        ok = tr_side_table_add(t, (struct tr_side_value[]){ { .present = true, .text = section.s, .len = section.len },
                                                            { .present = true, .text = text.s, .len = text.len } });
    if (ok)
        return tr_side_tables_add(tables, t);
    tr_side_table_free(t);
    return false;
}

enum tr_status tr__source_state_init(struct tr__source_state *l, const struct tr__driver *driver, const char *format,
                                     void *ctx, const char *name, size_t place, const struct tr_open_opts *opts,
                                     struct tr_error *err)
{
    l->opts = opts;
    l->decode = driver->decode;
    l->file.counts_records = driver->counts_records;
    l->n_threads = opts->n_threads ? opts->n_threads : 1;
    l->batches_ahead = opts->batches_ahead || l->n_threads > 1;
    if (l->n_threads > 1000)
        l->n_threads = 1000;
    /* a sixth of the memory is for rows; the rest is for reading them back, and for other stages */
    l->pool = tr_block_pool_new(opts->max_memory_bytes / 6);
    l->runs = tr_external_sort_new(opts->max_memory_bytes / 6, opts->temp_dir);
    if (!l->pool || !l->runs || !file_init(l, &l->file, format, name, place) ||
        !add_name_roles(&l->file.tables, opts->names) || !driver->start(ctx, l) ||
        !tr__source_state_lane(l, &l->joined))
        return tr_fail_memory(err);
    return TR_OK;
}

enum tr_status tr__understand(struct tr__source_state *l, const struct tr__driver *driver, void *ctx,
                              struct tr_error *err)
{
    enum tr_status st = driver->understand(ctx, l, err);
    if (st != TR_OK)
        return st;
    tr_mesh_from_name(l->file.name, l->file.mesh, sizeof l->file.mesh);
    return l->opts->strict ? tr__refuse_damage(&l->file, err) : TR_OK;
}

void tr__source_state_free(struct tr__source_state *l)
{
    tr_external_sort_free(l->runs);
    struct tr__file *f = &l->file;
    for (size_t k = 0; k < f->n_header; k++) {
        free(f->header[k].key);
        free(f->header[k].value);
    }
    free(f->header);
    free(f->steps);
    free(f->own);
    free(f->ranks);
    tr_paged_free(&f->work);
    tr_paged_free(&f->arrows);
    tr_paged_free(&f->launched);
    tr_launch_free(f->arrow_ends);
    free(f->names);
    free(f->name);
    tr_launch_free(f->launches);
    tr__groups_free(f->groups);
    tr_external_sort_free(f->ends);
    tr_side_tables_free(&f->tables);
    for (size_t i = 0; i < l->n_lanes; i++)
        tr__interner_free(&l->lanes[i]->interner);
    free(l->lanes);
    tr_block_pool_free(l->pool);
}
