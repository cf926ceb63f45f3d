/* SPDX-License-Identifier: MIT */
/*
 * Reader of rocpd: processes, threads, agents, kernels and counters, which rows refer to by number.
 *
 * The environment of each process is in the database, with passwords and keys in it.  Only the variables that give a
 * rank are looked at; nothing of it goes to the stream.
 */
#include "formats/rocpd/tr_rocpd_int.h"

#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

/* ---- the process and its threads ---- */

static uint64_t key_of(const struct tr__rocpd *r, int64_t id)
{
    return (uint64_t)r->set << 40 ^ (uint64_t)id;
}

struct tr__tables_process *tr__rocpd_process(struct tr__rocpd *r, int64_t id)
{
    id = id == TR_I64_NONE ? 0 : id;
    return tr__tables_process(r->t, key_of(r, id), id);
}

static enum tr_status take_process(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    struct tr__tables_environment e = { SIZE_MAX, TR_I64_NONE };
    int64_t id = tr__scan_int(&r->t->scan, 0), pid = tr__scan_int(&r->t->scan, 1);
    (void)ctx;
    if (id == TR_I64_NONE)
        return TR_OK;
    struct tr__tables_process *p = tr__tables_process(r->t, key_of(r, id), pid == TR_I64_NONE ? id : pid);
    if (!p)
        return TR_SYSTEM;
    if (!tr__scan_empty(&r->t->scan, 2))
        tr__tables_variables(&e, tr__scan_text(&r->t->scan, 2));
    p->rank = e.rank;
    return TR_OK;
}

static enum tr_status take_thread(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    int64_t id = tr__scan_int(&r->t->scan, 0), tid = tr__scan_int(&r->t->scan, 1), pid = tr__scan_int(&r->t->scan, 2);
    struct tr_str name = tr__scan_text(&r->t->scan, 3);
    (void)ctx;
    if (id == TR_I64_NONE || tid < 0 || tid >= UINT32_MAX)
        return TR_OK;
    if (!tr__numbers_set(&r->threads, (uint64_t)id, (uint32_t)tid))
        return tr_fail_memory(r->t->err);
    const struct tr__tables_process *p = name.len ? tr__rocpd_process(r, pid) : NULL;
    return p ? tr__tables_name_thread(r->t, p->pid, tid, name) : name.len ? TR_SYSTEM : TR_OK;
}

static enum tr_status take_node(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    struct tr_str host = tr__scan_text(&r->t->scan, 0);
    (void)ctx;
    if (host.len && !r->hosted)
        tr_ingest_host(r->t->g, host.s, host.len);
    r->hosted |= host.len > 0;
    return TR_OK;
}

static enum tr_status take_metadata(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    struct tr_str tag = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    char version[10];
    (void)ctx;
    if (!tr__tables_equals(tag, "schema_version") || !value.len || value.len >= sizeof version)
        return TR_OK;
    snprintf(version, sizeof version, "%.*s", (int)value.len, value.s);
    if (strspn(version, "0123456789.") == value.len)
        tr_ingest_version(r->t->g, version);
    return TR_OK;
}

/* ---- agents, kernels, counters ---- */

static enum tr_status take_agent(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    int64_t id = tr__scan_int(&r->t->scan, 0), number = tr__scan_int(&r->t->scan, 1);
    struct tr_str type = tr__scan_text(&r->t->scan, 2);
    (void)ctx;
    if (id == TR_I64_NONE)
        return TR_OK;
    if (number < 0 || number >= TR__ROCPD_CPU) /* without it, the number of the node is better than none */
        number = id;
    uint32_t gpu = tr__tables_equals(type, "GPU") ? (uint32_t)number : TR__ROCPD_CPU;
    return tr__numbers_set(&r->agents, (uint64_t)id, gpu) ? TR_OK : tr_fail_memory(r->t->err);
}

/* Its name as the user asked for it, else as the compiler wrote it. */
static enum tr_status take_kernel(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    int64_t id = tr__scan_int(&r->t->scan, 0);
    struct tr_str name = tr__scan_text(&r->t->scan, 1), mangled = tr__scan_text(&r->t->scan, 2);
    (void)ctx;
    name = name.len ? name : mangled;
    uint32_t number = id != TR_I64_NONE && name.len ? tr__tables_number(r->t, name) : TR_NO_STR;
    bool ok = number == TR_NO_STR || tr__numbers_set(&r->kernels, (uint64_t)id, number);
    return ok ? TR_OK : tr_fail_memory(r->t->err);
}

static enum tr_status take_counter(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    int64_t id = tr__scan_int(&r->t->scan, 0), agent = tr__scan_int(&r->t->scan, 2);
    struct tr_str name = tr__scan_text(&r->t->scan, 1);
    (void)ctx;
    uint32_t number = id != TR_I64_NONE && name.len ? tr__tables_number(r->t, name) : TR_NO_STR;
    bool ok = number == TR_NO_STR || tr__numbers_set(&r->counters, (uint64_t)id, number);
    if (ok && number != TR_NO_STR && agent >= 0 && agent < UINT32_MAX)
        ok = tr__numbers_set(&r->counted_on, (uint64_t)id, (uint32_t)agent);
    return ok ? TR_OK : tr_fail_memory(r->t->err);
}

/* ---- counters of dispatches ---- */

enum { V_EVENT, V_COUNTER, V_VALUE, V_SAMPLE };

/* One with a sample has a time of its own: see tr_rocpd_rows.c. */
static enum tr_status take_value(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct tr__rocpd_value v = { tr__scan_int(&t->scan, V_EVENT), TR_NO_STR, (uint32_t)r->n_values, 0 };
    int64_t id = tr__scan_int(&t->scan, V_COUNTER);
    (void)ctx;
    if (v.event == TR_I64_NONE || id == TR_I64_NONE || tr__scan_has(&t->scan, V_SAMPLE))
        return TR_OK;
    v.name = tr__numbers_get(&r->counters, (uint64_t)id);
    if (v.name == UINT32_MAX || !tr__scan_real(&t->scan, V_VALUE, &v.value))
        return TR_OK;
    if (r->n_values >= t->max_memory / sizeof v)
        return tr_fail(t->err, TR_SYSTEM, "its counters need more memory than -M allows");
    if (!tr_grow(&r->values, &r->cap_values, r->n_values + 1, sizeof v))
        return tr_fail_memory(t->err);
    r->values[r->n_values++] = v;
    return TR_OK;
}

TR_ORDER(by_event, struct tr__rocpd_value, TR_UP(event), TR_UP(order))

const struct tr__rocpd_value *tr__rocpd_values(const struct tr__rocpd *r, int64_t event, size_t *n)
{
    size_t at = 0;
    *n = 0;
    TR_BOUND(at, r->n_values, mid, r->values[mid].event < event);
    while (at + *n < r->n_values && r->values[at + *n].event == event)
        ++*n;
    return *n ? r->values + at : NULL;
}

/* ---- categories ---- */

/* What a category is, and its name in JSON of the same program. */
static const struct {
    const char *start, *name;
    enum tr__rocpd_kind kind;
} categories[] = {
    { "HIP_", "hip_api", TR__ROCPD_CALL },
    { "HSA_", "hsa_api", TR__ROCPD_HSA },
    { "MARKER_", "marker_api", TR__ROCPD_MARKER },
    { "RCCL_API", "rccl_api", TR__ROCPD_CALL },
    { "ROCDECODE_API", "rocdecode_api", TR__ROCPD_CALL },
    { "ROCJPEG_API", "rocjpeg_api", TR__ROCPD_CALL },
};

static struct tr__rocpd_category category_of(struct tr__rocpd *r, struct tr_str text)
{
    for (size_t i = 0; i < N(categories); i++)
        if (text.len >= strlen(categories[i].start) &&
            memcmp(text.s, categories[i].start, strlen(categories[i].start)) == 0)
            return (struct tr__rocpd_category){ categories[i].kind, tr_ingest_text(r->t->g, categories[i].name,
                                                                                   strlen(categories[i].name)) };
    char lower[64];
    size_t n = text.len < sizeof lower ? text.len : 0;
    for (size_t i = 0; i < n; i++)
        lower[i] = text.s[i] >= 'A' && text.s[i] <= 'Z' ? (char)(text.s[i] + 32) : text.s[i];
    return (struct tr__rocpd_category){ TR__ROCPD_OTHER, tr__tables_number(r->t, (struct tr_str){ lower, n }) };
}

/* Keep what the category of a number is. */
static enum tr_status keep_category(struct tr__rocpd *r, int64_t id, struct tr_str text,
                                    struct tr__rocpd_category *category)
{
    if (text.len)
        *category = category_of(r, text);
    if (!tr_grow(&r->list, &r->cap_list, r->n_list + 1, sizeof *r->list) ||
        !tr__numbers_set(&r->categories, (uint64_t)id, (uint32_t)r->n_list))
        return tr_fail_memory(r->t->err);
    r->list[r->n_list++] = *category;
    return TR_OK;
}

/* From version 4 on, categories have a table. */
static enum tr_status take_category(void *own, void *ctx)
{
    struct tr__rocpd *r = own;
    struct tr__rocpd_category category = { TR__ROCPD_OTHER, TR_NO_STR };
    int64_t id = tr__scan_int(&r->t->scan, 0);
    (void)ctx;
    return id == TR_I64_NONE ? TR_OK : keep_category(r, id, tr__scan_text(&r->t->scan, 1), &category);
}

enum tr_status tr__rocpd_category(struct tr__rocpd *r, int64_t id, struct tr__rocpd_category *category)
{
    struct tr_str text = { NULL, 0 };
    uint32_t at = id == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->categories, (uint64_t)id);
    *category = at == UINT32_MAX ? (struct tr__rocpd_category){ TR__ROCPD_OTHER, TR_NO_STR } : r->list[at];
    if (at != UINT32_MAX || id == TR_I64_NONE)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &text);
    return st == TR_SYSTEM ? st : keep_category(r, id, text, category);
}

/* ---- all of them ---- */

void tr__rocpd_forget(struct tr__rocpd *r)
{
    tr__scan_end(&r->events);
    tr__scan_end(&r->tracks);
    tr__scan_end(&r->samples);
    tr__numbers_clear(&r->threads);
    tr__numbers_clear(&r->agents);
    tr__numbers_clear(&r->kernels);
    tr__numbers_clear(&r->counters);
    tr__numbers_clear(&r->counted_on);
    tr__numbers_clear(&r->categories);
    tr__numbers_clear(&r->memory_of);
    r->n_list = r->n_values = r->n_memory = 0;
}

static enum tr_status find_rows(struct tr__rocpd *r)
{
    static const char *const event[] = { "category_id", "stack_id", "correlation_id", "extdata" },
                             *const track[] = { "pid", "tid", "agent_id", "queue_id", "stream_id", "name_id" },
                             *const sample[] = { "timestamp" };
    enum tr_status st = tr__tables_find(r->t, &r->events, "rocpd_event", "id", event, N(event));
    if (st == TR_OK || st == TR_END)
        st = tr__tables_find(r->t, &r->tracks, "rocpd_track", "id", track, N(track));
    if (st == TR_OK || st == TR_END)
        st = tr__tables_find(r->t, &r->samples, "rocpd_sample", "id", sample, N(sample));
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr__rocpd_about(struct tr__rocpd *r)
{
    static const char *const metadata[] = { "tag", "value" }, *const node[] = { "hostname" },
                             *const process[] = { "id", "pid", "environment" },
                             *const thread[] = { "id", "tid", "pid", "name" },
                             *const agent[] = { "id", "type_index", "type" },
                             *const category[] = { "id", "name" },
                             *const kernel[] = { "id", "display_name", "kernel_name" },
                             *const counter[] = { "id", "name", "agent_id" },
                             *const value[] = { "event_id", "pmc_id", "value", "sample_id" };
    static const struct {
        const char *table;
        const char *const *columns;
        size_t n;
        tr__tables_row_fn *row;
    } tables[] = {
        { "rocpd_metadata", metadata, N(metadata), take_metadata },
        { "rocpd_info_node", node, N(node), take_node },
        { "rocpd_info_process", process, N(process), take_process },
        { "rocpd_info_thread", thread, N(thread), take_thread },
        { "rocpd_info_agent", agent, N(agent), take_agent },
        { "rocpd_info_category", category, N(category), take_category },
        { "rocpd_info_kernel_symbol", kernel, N(kernel), take_kernel },
        { "rocpd_info_pmc", counter, N(counter), take_counter },
        { "rocpd_pmc_event", value, N(value), take_value },
    };
    enum tr_status st = tr__tables_strings(r->t);
    for (size_t i = 0; i < N(tables) && st == TR_OK; i++)
        st = tr__tables_each(r->t, tables[i].table, tables[i].columns, tables[i].n, tables[i].row, NULL);
    if (r->n_values)
        qsort(r->values, r->n_values, sizeof *r->values, by_event);
    return st == TR_OK ? find_rows(r) : st;
}
