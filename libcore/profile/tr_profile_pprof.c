/* SPDX-License-Identifier: MIT */
/*
 * Profiles as the message perftools.profiles.Profile, as its makers publish it: a location and a function for each
 * distinct name, and samples that name locations from the innermost to the outermost.
 */
#include "base/tr_escape.h"
#include "io/tr_gzip.h"
#include "io/tr_proto_int.h"
#include "profile/tr_profile.h"

#include <stdlib.h>

enum { /* numbers of fields */
    SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, DEFAULT_TYPE = 14,
    TYPE_NAME = 1, TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2,
    LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1,
    FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3,
};

struct pprof {
    const struct tr_profile *p;
    const struct tr_profile_about *about;
    struct tr_strtab *strings; /* number 0 is the empty one */
    struct tr_strtab *names;   /* of functions: number i has the id i + 1 */
    uint64_t *function;        /* by node */
    struct tr_buf message, part, inner;
};

/* The number of a string, as valid UTF-8.  TR_NO_STR: out of memory. */
static uint32_t string_of(struct pprof *w, struct tr_str text)
{
    w->inner.len = 0;
    if (!tr_utf8_add(&w->inner, text.s, text.len))
        return TR_NO_STR;
    return tr_strtab_add(w->strings, w->inner.len ? (const char *)w->inner.data : "", w->inner.len);
}

static bool add_types(struct pprof *w)
{
    static const char *const units[] = { "nanoseconds", "nanoseconds", "count", "bytes" };
    bool ok = true;
    for (unsigned i = 0; ok && i < TR_N_PROFILE_WEIGHTS; i++) {
        uint32_t name = string_of(w, tr_str_of(tr_profile_weight_names[i])), unit = string_of(w, tr_str_of(units[i]));
        w->part.len = 0;
        ok = name != TR_NO_STR && unit != TR_NO_STR && tr__proto_u64(&w->part, TYPE_NAME, name) &&
             tr__proto_u64(&w->part, TYPE_UNIT, unit) && tr__proto_message(&w->message, SAMPLE_TYPE, &w->part);
        if (ok && i == w->about->weight)
            ok = tr__proto_u64(&w->message, DEFAULT_TYPE, name);
    }
    return ok;
}

/* A name that comes for the first time is a function with a location of the same number. */
static bool add_function(struct pprof *w, uint32_t node)
{
    struct tr_str name = tr_profile_name(w->p, node);
    uint32_t had = tr_strtab_count(w->names), number = tr_strtab_add(w->names, name.s, name.len);
    if (number == TR_NO_STR)
        return false;
    uint64_t id = w->function[node] = (uint64_t)number + 1;
    if (number != had)
        return true;
    uint32_t text = string_of(w, name);
    w->part.len = 0;
    bool ok = text != TR_NO_STR && tr__proto_u64(&w->part, FUNCTION_ID, id) &&
              tr__proto_u64(&w->part, FUNCTION_NAME, text) && tr__proto_u64(&w->part, FUNCTION_SYSTEM_NAME, text) &&
              tr__proto_message(&w->message, FUNCTION, &w->part);
    w->part.len = w->inner.len = 0;
    return ok && tr__proto_u64(&w->inner, LINE_FUNCTION, id) && tr__proto_u64(&w->part, LOCATION_ID, id) &&
           tr__proto_message(&w->part, LOCATION_LINE, &w->inner) && tr__proto_message(&w->message, LOCATION, &w->part);
}

static bool add_packed(struct tr_buf *out, uint64_t v)
{
    if (!tr__proto_room(out, TR__PROTO_MAX))
        return false;
    out->len = (size_t)(tr__proto_add(out->data + out->len, v) - out->data);
    return true;
}

/* What the node has itself; of two sides, the difference. */
static int64_t value_of(const struct pprof *w, uint32_t node, enum tr_profile_weight weight)
{
    int64_t test = tr_profile_self(w->p, node, TR_PROFILE_TEST, weight);
    return w->about->compared ? test - tr_profile_self(w->p, node, TR_PROFILE_BASE, weight) : test;
}

static bool add_sample(struct pprof *w, uint32_t node)
{
    bool any = false, ok = true;
    w->part.len = w->inner.len = 0;
    for (unsigned i = 0; i < TR_N_PROFILE_WEIGHTS; i++)
        any |= value_of(w, node, (enum tr_profile_weight)i) != 0;
    if (!any)
        return true;
    for (uint32_t at = node; ok && at != TR_PROFILE_ROOT; at = tr_profile_at(w->p, at)->parent)
        ok = add_packed(&w->inner, w->function[at]);
    ok = ok && tr__proto_message(&w->part, SAMPLE_LOCATION, &w->inner);
    w->inner.len = 0;
    for (unsigned i = 0; ok && i < TR_N_PROFILE_WEIGHTS; i++)
        ok = add_packed(&w->inner, (uint64_t)value_of(w, node, (enum tr_profile_weight)i));
    return ok && tr__proto_message(&w->part, SAMPLE_VALUE, &w->inner) &&
           tr__proto_message(&w->message, SAMPLE, &w->part);
}

enum tr_status tr_profile_pprof(const struct tr_profile *p, const struct tr_profile_about *about, struct tr_buf *out,
                                struct tr_error *err)
{
    size_t n = tr_profile_count(p);
    struct pprof w = { .p = p, .about = about, .strings = tr_strtab_new(), .names = tr_strtab_new(),
                       .function = calloc(n, sizeof *w.function) };
    bool ok = w.strings && w.names && w.function && tr_strtab_add(w.strings, "", 0) == 0 && add_types(&w);
    for (size_t i = 1; ok && i < n; i++)
        ok = add_function(&w, tr_profile_ordered(p, i));
    for (size_t i = 1; ok && i < n; i++)
        ok = add_sample(&w, tr_profile_ordered(p, i));
    for (uint32_t i = 0; ok && i < tr_strtab_count(w.strings); i++)
        ok = tr__proto_bytes(&w.message, STRING, tr_strtab_get(w.strings, i), tr_strtab_len(w.strings, i));
    enum tr_status st = ok ? tr_gzip(w.message.data, w.message.len, out, err) : tr_fail_memory(err);
    tr_strtab_free(w.strings);
    tr_strtab_free(w.names);
    free(w.function);
    tr_buf_free(&w.message);
    tr_buf_free(&w.part);
    tr_buf_free(&w.inner);
    return st;
}
