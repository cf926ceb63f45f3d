/* SPDX-License-Identifier: MIT */
/* Provenance: the program runs that produced a stream. */
#include "stream/tr_provenance_int.h"

#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

struct tr_provenance *tr_provenance_new(void)
{
    return calloc(1, sizeof(struct tr_provenance));
}

static void free_run(struct tr_run *run)
{
    free(run->program);
    free(run->version);
    free(run->command);
    free(run->parents);
}

void tr_provenance_free(struct tr_provenance *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++)
        free_run(&p->runs[i]);
    free(p->runs);
    free(p);
}

static char *copy_text(const char *s, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, s, len);
        copy[len] = '\0';
    }
    return copy;
}

bool tr_provenance_add(struct tr_provenance *p, const char *program, const char *version,
                       const char *command, const uint32_t *parents, size_t n_parents,
                       uint32_t *number)
{
    struct tr_run run = { .program = copy_text(program, strlen(program)),
                          .version = copy_text(version, strlen(version)),
                          .command = copy_text(command, strlen(command)),
                          .parents = calloc(n_parents + 1, sizeof *run.parents) };
    if (!run.program || !run.version || !run.command || !run.parents ||
        !tr_grow(&p->runs, &p->cap, p->n + 1, sizeof *p->runs)) {
        free_run(&run);
        return false;
    }
    for (size_t i = 0; i < n_parents; i++)
        if (parents[i] != TR_NO_RUN)
            run.parents[run.n_parents++] = parents[i];
    if (number)
        *number = (uint32_t)p->n;
    p->runs[p->n++] = run;
    return true;
}

bool tr_provenance_add_last(struct tr_provenance *p, const char *program, const char *version,
                            const char *command)
{
    uint32_t *heads = calloc(p->n + 1, sizeof *heads);
    size_t n = 0;
    if (!heads)
        return false;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->runs[i].n_parents; k++)
            heads[p->runs[i].parents[k]] = TR_NO_RUN;
    for (uint32_t i = 0; i < p->n; i++)
        if (heads[i] != TR_NO_RUN)
            heads[n++] = i;
    bool ok = tr_provenance_add(p, program, version, command, heads, n, NULL);
    free(heads);
    return ok;
}

bool tr_provenance_append(struct tr_provenance *p, const struct tr_provenance *other,
                          uint32_t *head)
{
    uint32_t first = (uint32_t)p->n;
    *head = TR_NO_RUN;
    for (size_t i = 0; other && i < other->n; i++) {
        const struct tr_run *run = &other->runs[i];
        if (!tr_provenance_add(p, run->program, run->version, run->command, run->parents,
                               run->n_parents, head))
            return false;
        struct tr_run *copy = &p->runs[*head];
        for (size_t k = 0; k < copy->n_parents; k++)
            copy->parents[k] += first;
    }
    return true;
}

static void put_text(struct tr__out *o, const char *s)
{
    size_t len = strlen(s);
    tr__out_varint(o, len);
    tr__out_bytes(o, s, len);
}

bool tr__run_put(const struct tr_run *run, struct tr_buf *row)
{
    struct tr__out o = { row, false };
    put_text(&o, run->program);
    put_text(&o, run->version);
    put_text(&o, run->command);
    tr__out_varint(&o, run->n_parents);
    for (size_t i = 0; i < run->n_parents; i++)
        tr__out_varint(&o, run->parents[i]);
    return !o.failed;
}

/* A text without zero bytes; NULL: malformed, or out of memory with *memory set. */
static char *get_text(struct tr__in *in, bool *memory)
{
    size_t len = tr__in_size(in, tr__in_left(in));
    const unsigned char *s = tr__in_bytes(in, len);
    if (!s || memchr(s, 0, len)) {
        in->bad = true;
        return NULL;
    }
    char *copy = copy_text((const char *)s, len);
    *memory |= !copy;
    return copy;
}

static enum tr_status get_run(struct tr_provenance *p, struct tr__in *in, struct tr_error *err)
{
    bool memory = false;
    struct tr_run run = { .program = get_text(in, &memory) };
    run.version = get_text(in, &memory);
    run.command = get_text(in, &memory);
    size_t n = tr__in_size(in, tr__in_left(in));
    run.parents = calloc(n + 1, sizeof *run.parents);
    memory |= !run.parents || !tr_grow(&p->runs, &p->cap, p->n + 1, sizeof *p->runs);
    for (; run.n_parents < n && !in->bad && !memory; run.n_parents++) {
        uint64_t parent = tr__in_varint(in);
        if (parent >= p->n)
            in->bad = true;
        else
            run.parents[run.n_parents] = (uint32_t)parent;
    }
    if (in->bad || memory) {
        free_run(&run);
        return memory ? tr_fail_memory(err)
                      : tr_fail(err, TR_DAMAGED, "a program run in the provenance is malformed");
    }
    p->runs[p->n++] = run;
    return TR_OK;
}

enum tr_status tr__runs_get(struct tr_provenance *p, const unsigned char *payload, size_t len,
                            uint32_t n_items, struct tr_error *err)
{
    struct tr__in in = { payload, payload + len, false };
    for (uint32_t i = 0; i < n_items; i++) {
        size_t n = tr__in_size(&in, tr__in_left(&in));
        const unsigned char *row_at = tr__in_bytes(&in, n);
        if (in.bad)
            return tr_fail(err, TR_DAMAGED, "row %u of %u has a bad length", i, n_items);
        struct tr__in row = { row_at, row_at + n, false };
        enum tr_status st = get_run(p, &row, err);
        if (st != TR_OK)
            return st;
    }
    if (tr__in_left(&in))
        return tr_fail(err, TR_DAMAGED, "%zu bytes after the last row", tr__in_left(&in));
    return TR_OK;
}
