/* SPDX-License-Identifier: MIT */
/* The builder: facts about a source, from the calls of a format. */
#include "ingest/tr_ingest_builder_int.h"

#include "vendor/tr_vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tr_ingest_rank(struct tr_ingest *g, int64_t rank)
{
    g->rank = rank;
}

void tr_ingest_rank_of(struct tr_ingest *g, int64_t pid, int64_t rank)
{
    struct tr__file *f = &g->load->file;
    if (tr_grow(&f->ranks, &f->cap_ranks, f->n_ranks + 1, sizeof *f->ranks))
        f->ranks[f->n_ranks++] = (struct tr__rank_of){ pid, rank };
    else
        g->no_memory = true;
}

void tr_ingest_format(struct tr_ingest *g, const char *format)
{
    struct tr__file *f = &g->load->file;
    g->format = format;
    snprintf(f->format, sizeof f->format, "%s", format);
}

void tr_ingest_version(struct tr_ingest *g, const char *version)
{
    struct tr__file *f = &g->load->file;
    snprintf(f->format, sizeof f->format, "%s %s", g->format, version);
}

void tr_ingest_host(struct tr_ingest *g, const char *host, size_t len)
{
    struct tr__file *f = &g->load->file;
    snprintf(f->host, sizeof f->host, "%.*s", (int)(len < sizeof f->host ? len : sizeof f->host - 1), host);
}

void tr_ingest_base(struct tr_ingest *g, int64_t base_ns)
{
    g->has_base = true;
    g->base_ns = base_ns;
}

uint32_t tr_ingest_clock(struct tr_ingest *g)
{
    return ++g->load->file.n_clocks;
}

void tr_ingest_header(struct tr_ingest *g, const char *key, const char *json, size_t len)
{
    struct tr__piece *pc = g->lane.piece;
    size_t key_len = strlen(key);
    struct tr__header_entry h = { malloc(key_len + 1), malloc(len ? len : 1), key_len, len };
    if (!h.key || !h.value || !tr_grow(&pc->header, &pc->cap_header, pc->n_header + 1, sizeof h)) {
        free(h.key);
        free(h.value);
        g->no_memory = true;
        return;
    }
    memcpy(h.key, key, key_len + 1);
    memcpy(h.value, json, len);
    pc->header[pc->n_header++] = h;
}

void tr_ingest_bare_array(struct tr_ingest *g)
{
    g->lane.piece->bare_array = true;
}

static void name_track(struct tr_ingest *g, const struct tr__track_name *of, const char *name, size_t len)
{
    struct tr__piece *pc = g->lane.piece;
    struct tr__track_name t = *of;
    t.interner = g->lane.interner_no;
    t.text = name ? tr__ingest_text(g, name, len, false) : TR_NO_STR;
    if (!tr_grow(&pc->names, &pc->cap_names, pc->n_names + 1, sizeof t))
        g->no_memory = true;
    else
        pc->names[pc->n_names++] = t;
}

void tr_ingest_process_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                          int64_t sort)
{
    struct tr_ingest_track id = *track;
    tr__ingest_ids(g, &id);
    struct tr__track_name t = { .what = TR_NAME_PROCESS_NAME, .pid = id.pid, .number = sort, .tid_type = TR_T_NULL,
                                .pid_type = (uint8_t)tr__ingest_id_type(id.pid, id.pid_text) };
    name_track(g, &t, name, len);
    t.what = TR_NAME_PROCESS_SORT;
    if (sort != TR_I64_NONE)
        name_track(g, &t, NULL, 0);
}

void tr_ingest_process(struct tr_ingest *g, int64_t pid, const char *name, size_t len, int64_t sort)
{
    tr_ingest_process_of(g, &(struct tr_ingest_track){ .pid = pid }, name, len, sort);
}

void tr_ingest_thread_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                         int64_t sort)
{
    struct tr_ingest_track id = *track;
    tr__ingest_ids(g, &id);
    struct tr__track_name t = { .what = TR_NAME_THREAD_NAME, .pid = id.pid, .tid = id.tid, .has_tid = true,
                                .number = sort, .pid_type = (uint8_t)tr__ingest_id_type(id.pid, id.pid_text),
                                .tid_type = (uint8_t)tr__ingest_id_type(id.tid, id.tid_text) };
    name_track(g, &t, name, len);
    t.what = TR_NAME_THREAD_SORT;
    if (sort != TR_I64_NONE)
        name_track(g, &t, NULL, 0);
}

void tr_ingest_damaged(struct tr_ingest *g, enum tr_damage_cause cause, uint64_t offset)
{
    tr__count(g->lane.piece, cause, offset);
}

void tr_ingest_thread(struct tr_ingest *g, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort)
{
    tr_ingest_thread_of(g, &(struct tr_ingest_track){ .pid = pid, .tid = tid }, name, len, sort);
}

bool tr__count_own(struct tr_damage **own, size_t *n, size_t *cap, const struct tr_damage *more)
{
    size_t i = 0;
    while (i < *n && strcmp((*own)[i].name, more->name))
        i++;
    if (i < *n) {
        (*own)[i].count += more->count;
        if (more->first < (*own)[i].first)
            (*own)[i].first = more->first;
        return true;
    }
    if (i >= TR_INGEST_MAX_CAUSES || !tr_grow(own, cap, i + 1, sizeof **own))
        return false;
    (*own)[(*n)++] = *more;
    return true;
}

void tr_ingest_damaged_by(struct tr_ingest *g, const struct tr_ingest_cause *cause, uint64_t offset)
{
    struct tr__file *f = &g->load->file;
    for (unsigned c = 0; c < TR_N_DAMAGE_CAUSES; c++)
        if (!strcmp(tr_damage_cause_name(c), cause->name)) {
            tr__count(g->lane.piece, (enum tr_damage_cause)c, offset);
            return;
        }
    struct tr_damage d = { .count = 1, .loses = cause->loses, .first = offset };
    g->lane.piece->n_counted++;
    snprintf(d.name, sizeof d.name, "%s", cause->name);
    snprintf(d.text, sizeof d.text, "%s", cause->text);
    size_t *n = g->is_part ? &g->n_own : &f->n_own;
    if (g->is_part ? tr__count_own(&g->own, n, &g->cap_own, &d) : tr__count_own(&f->own, n, &f->cap_own, &d))
        return;
    g->too_many |= *n >= TR_INGEST_MAX_CAUSES;
    g->no_memory = true;
}
