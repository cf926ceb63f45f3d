/* SPDX-License-Identifier: MIT */
/*
 * Reader of Nsight Systems' databases: NVTX.
 *
 * A range of push and pop is a span of its thread.  One of start and end may overlap others and may end on another
 * thread, so it is an async span.  PyTorch's emit_nvtx puts what it knows of an operator after its name, so that each
 * name is another one: "aten::mm, op_id = 7, seq = 3, sizes = [[2, 3]]".  Such a range is an operator, and what stands
 * after the name are its args.
 */
#include "formats/nsys/tr_nsys_int.h"

#include "stream/tr_dict.h"

#include <stdio.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

enum {
    CATEGORY_NAME = 33, MARK = 34, THREAD_NAME = 39, PUSH_POP = 59, START_END = 60, IMPORTED_PUSH_POP = 70,
    IMPORTED_START_END = 71, DOMAIN_NAME = 75
};
enum {
    START, END, TYPE, TEXT, TEXT_ID, TID, END_TID, DOMAIN, CATEGORY, JSON, JSON_ID, UINT64, INT64, UINT32, INT32,
    DOUBLE, FLOAT, BINARY
};
static const char *const columns[] = { "start",       "end",        "eventType",   "text",        "textId",
                                       "globalTid",   "endGlobalTid", "domainId",  "category",    "jsonText",
                                       "jsonTextId",  "uint64Value", "int64Value", "uint32Value", "int32Value",
                                       "doubleValue", "floatValue",  "binaryData" };

/* ---- names of domains and categories ---- */

static const int64_t no_category = TR_I64_NONE;

static enum tr_status set_name(struct tr__nsys *r, int64_t tid, int64_t domain, int64_t category, uint32_t name)
{
    const struct tr__tables_process *p = tr__nsys_process(r, tid == TR_I64_NONE ? 0 : tid);
    if (!p)
        return TR_SYSTEM;
    const int64_t key[] = { tr__tables_process_number(r->t, p), domain, category };
    uint32_t at = tr_strtab_add(r->domain_keys, key, sizeof key);
    if (at == TR_NO_STR || !tr_grow(&r->domains, &r->cap_domains, at + (size_t)1, sizeof *r->domains))
        return tr_fail_memory(r->t->err);
    r->domains[at] = name;
    return TR_OK;
}

static uint32_t name_of(struct tr__nsys *r, int64_t tid, int64_t domain, int64_t category)
{
    uint32_t n = tr__numbers_get(&r->t->process_of, (uint64_t)(tid == TR_I64_NONE ? 0 : tid) >> 24);
    const int64_t key[] = { n, domain, category };
    uint32_t at = tr_strtab_find(r->domain_keys, key, sizeof key);
    return at == TR_NO_STR ? TR_NO_STR : r->domains[at];
}

static enum tr_status text_of_row(struct tr__nsys *r, uint32_t *number)
{
    struct tr_str text = tr__scan_text(&r->t->scan, TEXT);
    if (!text.s)
        return tr__tables_text_at(r->t, TEXT_ID, number);
    *number = tr__tables_number(r->t, text);
    return TR_OK;
}

static enum tr_status take_name(void *own)
{
    struct tr__nsys *r = own;
    int64_t type = tr__scan_int(&r->t->scan, TYPE), tid = tr__scan_int(&r->t->scan, TID),
            domain = tr__scan_int(&r->t->scan, DOMAIN);
    uint32_t name;
    if (type != DOMAIN_NAME && type != CATEGORY_NAME) {
        r->t->scan.doubt = false; /* of a row that is read once more */
        return TR_OK;
    }
    enum tr_status st = text_of_row(r, &name);
    if (st != TR_OK || name == TR_NO_STR)
        return st;
    domain = domain == TR_I64_NONE ? 0 : domain;
    return set_name(r, tid, domain, type == DOMAIN_NAME ? no_category : tr__scan_int(&r->t->scan, CATEGORY), name);
}

const struct tr__tables_table tr__nsys_nvtx_names = { "NVTX_EVENTS", columns, CATEGORY + 1, take_name, NULL };

/* The name of a range, without what it says of an operator.  *op: it is one. */
static enum tr_status range_name(struct tr__nsys *r, uint32_t *number, bool *op)
{
    struct tr_str text = tr__scan_text(&r->t->scan, TEXT);
    *op = false;
    if (!text.s)
        return tr__tables_text_at(r->t, TEXT_ID, number);
    *number = tr__tables_range(r->t, text, op);
    return TR_OK;
}

/* ---- ranges and marks ---- */

static void add_payload(struct tr__nsys *r)
{
    uint32_t number = TR_NO_STR;
    double real;
    struct tr_str json = tr__scan_text(&r->t->scan, JSON);
    for (size_t k = UINT64; k <= INT32; k++) {
        int64_t value = tr__scan_int(&r->t->scan, k);
        if (value != TR_I64_NONE) {
            tr__tables_arg_int(r->t, TR__NSYS_PAYLOAD, value);
            return;
        }
    }
    if (tr__scan_real(&r->t->scan, DOUBLE, &real) || tr__scan_real(&r->t->scan, FLOAT, &real))
        tr__tables_arg_real(r->t, TR__NSYS_PAYLOAD, real);
    else if (json.s && json.len)
        number = tr__tables_number(r->t, json);
    else if (tr__tables_text_at(r->t, JSON_ID, &number) != TR_OK)
        number = TR_NO_STR;
    tr__tables_arg_text(r->t, TR__NSYS_PAYLOAD, number);
}

static void add_about(struct tr__nsys *r, int64_t tid)
{
    int64_t domain = tr__scan_int(&r->t->scan, DOMAIN), category = tr__scan_int(&r->t->scan, CATEGORY);
    if (domain != TR_I64_NONE && domain != 0) {
        tr__tables_arg_text(r->t, TR__NSYS_DOMAIN, name_of(r, tid, domain, no_category));
        tr__tables_arg_int(r->t, TR__NSYS_DOMAIN_ID, domain);
    }
    if (category != TR_I64_NONE && category != 0) {
        uint32_t name = name_of(r, tid, domain == TR_I64_NONE ? 0 : domain, category);
        if (name != TR_NO_STR)
            tr__tables_arg_text(r->t, TR__NSYS_CATEGORY, name);
        else
            tr__tables_arg_int(r->t, TR__NSYS_CATEGORY, category);
    }
    add_payload(r);
    if (tr__scan_has(&r->t->scan, BINARY))
        r->facts[TR__NSYS_BINARY]++;
}

/* What all events of NVTX have. */
static enum tr_status describe(struct tr__nsys *r, int64_t tid, uint32_t name, bool op)
{
    tr_ingest_name_number(r->t->g, name);
    tr_ingest_category(r->t->g, op ? "nvtx_op" : "user_annotation", op ? 7 : 15);
    tr_ingest_activity(r->t->g, op ? TR_ACT_CPU_OP : TR_ACT_ANNOTATION);
    return tr__nsys_on_thread(r, tid);
}

/* The end of an async range, with the id of its start. */
static enum tr_status end_range(struct tr__nsys *r, int64_t end, int64_t tid, uint32_t name, const char *id, size_t len)
{
    tr_ingest_begin(r->t->g, TR_ASYNC_END, end, TR_TIME_NONE);
    tr_ingest_record(r->t->g, ++r->t->record);
    enum tr_status st = describe(r, tid, name, false);
    if (st != TR_OK)
        return st;
    tr_ingest_member_text(r->t->g, "id", id, len);
    return tr_ingest_end(r->t->g, r->t->err);
}

static enum tr_status take_async(struct tr__nsys *r)
{
    int64_t tid = tr__scan_int(&r->t->scan, TID), end_tid = tr__scan_int(&r->t->scan, END_TID),
            end = tr__scan_int(&r->t->scan, END);
    char id[24];
    uint32_t name;
    enum tr_status st = tr__tables_begin(r->t, TR_ASYNC_BEGIN, START, END);
    if (st == TR_OK)
        st = text_of_row(r, &name);
    if (st == TR_OK)
        st = describe(r, tid, name, false);
    if (st != TR_OK)
        return st;
    int len = snprintf(id, sizeof id, "%llu", (unsigned long long)r->t->record);
    add_about(r, tid);
    tr__ingest_args(r->t->g, r->t->args, r->t->n_args);
    tr_ingest_member_text(r->t->g, "id", id, (size_t)len);
    st = tr_ingest_end(r->t->g, r->t->err);
    if (st != TR_OK || end != TR_I64_NONE)
        return st != TR_OK ? st
                           : end_range(r, end, end_tid == TR_I64_NONE ? tid : end_tid, name, id, (size_t)len);
    r->facts[TR__NSYS_OPEN_RANGES]++;
    return TR_OK;
}

static enum tr_status take_range(struct tr__nsys *r, enum tr_phase phase)
{
    int64_t tid = tr__scan_int(&r->t->scan, TID);
    uint32_t name;
    bool op;
    enum tr_status st = tr__tables_begin(r->t, phase, START, END);
    if (st == TR_OK)
        st = range_name(r, &name, &op);
    if (st == TR_OK)
        st = describe(r, tid, name, op);
    if (st != TR_OK)
        return st;
    r->facts[TR__NSYS_OPEN_RANGES] += phase == TR_SPAN && tr__scan_int(&r->t->scan, END) == TR_I64_NONE;
    add_about(r, tid);
    return tr__tables_end(r->t);
}

static enum tr_status take_row(void *own)
{
    struct tr__nsys *r = own;
    int64_t tid;
    switch (tr__scan_int(&r->t->scan, TYPE)) {
    case PUSH_POP:
    case IMPORTED_PUSH_POP:
        return take_range(r, TR_SPAN);
    case START_END:
    case IMPORTED_START_END:
        return take_async(r);
    case MARK:
        return take_range(r, TR_INSTANT);
    case THREAD_NAME:
        tid = tr__scan_int(&r->t->scan, TID);
        return tid == TR_I64_NONE ? TR_OK : tr__nsys_name_thread(r, tid, tr__scan_text(&r->t->scan, TEXT));
    default:
        return TR_OK;
    }
}

const struct tr__tables_table tr__nsys_nvtx = { "NVTX_EVENTS", columns, N(columns), take_row, NULL };
