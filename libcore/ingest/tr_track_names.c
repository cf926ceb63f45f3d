/* SPDX-License-Identifier: MIT */
/* Names of tracks, from the metadata events of a source or from the builder. */
#include "ingest/tr_ingest_int.h"

#include "vendor/tr_vocab.h"

#include <stdlib.h>
#include <string.h>

/* The metadata of one process or thread; the last event of each kind counts. */
struct given {
    const struct tr__text *name, *labels;
    int64_t sort;
};

struct tr__names {
    const struct tr__source_state *l;
    struct tr_strtab *keys;
    struct given *given; /* by number of key */
    size_t cap;
    struct tr_buf key;
};

/* A process (tid_type of TR_T_NULL) or thread as bytes. */
static bool make_key(struct tr_buf *b, const struct tr__interner *interner, unsigned pid_type, int64_t pid,
                     unsigned tid_type, int64_t tid)
{
    b->len = 0;
    const unsigned char head[2] = { (unsigned char)pid_type, (unsigned char)tid_type };
    bool ok = tr_buf_add(b, head, sizeof head);
    if (pid_type == TR_T_STRING)
        ok = ok && tr_buf_add(b, interner->texts[pid].text, interner->texts[pid].len) && tr_buf_add(b, "", 1);
    else
        ok = ok && tr_buf_add(b, &pid, sizeof pid);
    if (tid_type == TR_T_STRING)
        return ok && tr_buf_add(b, interner->texts[tid].text, interner->texts[tid].len);
    return ok && (tid_type == TR_T_NULL || tr_buf_add(b, &tid, sizeof tid));
}

bool tr__names_compact(struct tr__file *f)
{
    struct tr_strtab *seen = tr_strtab_new();
    size_t kept = f->n_names;
    bool ok = seen != NULL;
    for (size_t i = f->n_names; ok && i > 0; i--) { /* from the last, which counts */
        struct tr__track_name t = f->names[i - 1];
        uint32_t before = tr_strtab_count(seen);
        const int64_t key[] = { t.pid, t.tid, t.what, t.pid_type, t.tid_type, t.has_tid, t.interner };
        uint32_t id = tr_strtab_add(seen, (const char *)key, sizeof key);
        ok = id != TR_NO_STR;
        if (id == before)
            f->names[--kept] = t;
    }
    tr_strtab_free(seen);
    if (!ok)
        return false;
    memmove(f->names, f->names + kept, (f->n_names - kept) * sizeof *f->names);
    f->n_names -= kept;
    f->compact_at = 2 * f->n_names;
    return true;
}

static bool note_name(struct tr__names *n, const struct tr__track_name *t)
{
    const struct tr__interner *interner = &n->l->lanes[t->interner]->interner;
    bool thread = t->what == TR_NAME_THREAD_NAME || t->what == TR_NAME_THREAD_SORT;
    unsigned tid_type = !thread ? TR_T_NULL : t->has_tid ? t->tid_type : t->pid_type;
    int64_t tid = t->has_tid ? t->tid : t->pid;
    if (!make_key(&n->key, interner, t->pid_type, t->pid, tid_type, tid))
        return false;
    uint32_t before = tr_strtab_count(n->keys), id = tr_strtab_add(n->keys, n->key.data, n->key.len);
    if (id == TR_NO_STR || !tr_grow(&n->given, &n->cap, id + 1u, sizeof *n->given))
        return false;
    if (id == before)
        n->given[id] = (struct given){ NULL, NULL, TR_I64_NONE };
    struct given *g = &n->given[id];
    const struct tr__text *text = t->text == TR_NO_STR ? NULL : &interner->texts[t->text];
    if (t->what == TR_NAME_PROCESS_LABELS)
        g->labels = text;
    else if (t->what == TR_NAME_PROCESS_SORT || t->what == TR_NAME_THREAD_SORT)
        g->sort = t->number;
    else
        g->name = text;
    return true;
}

struct tr__names *tr__names_new(const struct tr__source_state *l)
{
    struct tr__names *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->l = l;
    n->keys = tr_strtab_new();
    bool ok = n->keys != NULL;
    for (size_t k = 0; ok && k < l->file.n_names; k++)
        ok = note_name(n, &l->file.names[k]);
    if (!ok) {
        tr__names_free(n);
        n = NULL;
    }
    return n;
}

void tr__names_free(struct tr__names *n)
{
    if (!n)
        return;
    tr_strtab_free(n->keys);
    free(n->given);
    tr_buf_free(&n->key);
    free(n);
}

/* *given is NULL if there is no metadata.  False: out of memory. */
static bool find_given(struct tr__names *n, const struct tr__interner *interner, const struct tr_track *t,
                       bool thread, const struct given **given)
{
    unsigned tid_type = !thread ? TR_T_NULL : t->tid_type == TR_T_NULL ? t->pid_type : t->tid_type;
    if (!make_key(&n->key, interner, t->pid_type, t->pid, tid_type, t->tid))
        return false;
    uint32_t id = tr_strtab_find(n->keys, n->key.data, n->key.len);
    *given = id == TR_NO_STR ? NULL : &n->given[id];
    return true;
}

/* Set the number of a text from metadata; an absent text changes nothing. */
static bool give_text(struct tr_strtab *strings, const struct tr__text *text, uint32_t *id)
{
    if (!text)
        return true;
    *id = tr_strtab_add(strings, text->text, text->len);
    return *id != TR_NO_STR;
}

bool tr__names_give(void *ctx, struct tr_track *t, const struct tr_track *raw, struct tr_strtab *strings,
                    const struct tr__interner *interner)
{
    struct tr__names *n = ctx;
    const struct given *process, *thread;
    if (!find_given(n, interner, raw, false, &process) || !find_given(n, interner, raw, true, &thread))
        return false;
    if (process)
        t->process_sort = process->sort;
    if (thread)
        t->thread_sort = thread->sort;
    return give_text(strings, process ? process->name : NULL, &t->process_name) &&
           give_text(strings, process ? process->labels : NULL, &t->labels) &&
           give_text(strings, thread ? thread->name : NULL, &t->thread_name);
}
