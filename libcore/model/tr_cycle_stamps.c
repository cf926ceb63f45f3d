/* SPDX-License-Identifier: MIT */
/* The cycle stamps of events. */
#include "model/tr_cycle_stamps.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

const char *const tr_cycle_stamp_part_names[TR_N_CYCLE_STAMP_PARTS] = { "request", "dma_in", "prep", "compute",
                                                                        "dma_out" };

static const char *const keys[TR_N_CYCLE_STAMPS] = { "TS1", "TS2", "TS3", "TS4", "TS5" };

static bool contains(const char *s, size_t n, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= n; i++)
        if (!memcmp(s + i, word, len))
            return true;
    return false;
}

static enum tr_cycle_stamp_part part_of(const char *name, size_t len)
{
    static const struct {
        const char *word;
        enum tr_cycle_stamp_part part;
    } parts[] = {
        { " DmaI", TR_CYCLE_STAMP_DMA_IN },
        { " Cmpt Prep", TR_CYCLE_STAMP_PREP },
        { " Cmpt Exec", TR_CYCLE_STAMP_COMPUTE },
        { " DmaO", TR_CYCLE_STAMP_DMA_OUT },
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (contains(name, len, parts[i].word))
            return parts[i].part;
    return TR_CYCLE_STAMP_WHOLE;
}

bool tr_cycle_stamps_start(struct tr_cycle_stamp_reader *r, const struct tr_batch *b)
{
    size_t n = tr_strtab_count(b->dict->strings);
    r->args.place = TR_PLACE_ARGS;
    r->args.keys = keys;
    r->args.n_keys = TR_N_CYCLE_STAMPS;
    if (r->dict != b->dict) {
        r->dict = b->dict;
        r->n_part = 0;
    }
    if (!tr_grow(&r->part, &r->cap_part, n + 1, 1))
        return false;
    memset(r->part + r->n_part, 0, n - r->n_part);
    r->n_part = n;
    return tr_args_start(&r->args, b);
}

void tr_cycle_stamps_free(struct tr_cycle_stamp_reader *r)
{
    tr_args_free(&r->args);
    free(r->part);
}

/* The number in a text, at most 32 bits, with decimal digits, or with 0x and hexadecimal digits. */
static bool parse(const char *s, size_t n, uint32_t *out)
{
    bool hex = n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    uint64_t v = 0;
    size_t i = hex ? 2 : 0;
    if (i == n)
        return false;
    for (; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        unsigned digit = c >= '0' && c <= '9' ? c - 48u
                         : c >= 'a' && c <= 'f' ? c - 87u
                         : c >= 'A' && c <= 'F' ? c - 55u
                                                : 99u;
        if (digit >= (hex ? 16u : 10u))
            return false;
        v = v * (hex ? 16u : 10u) + digit;
        if (v > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)v;
    return true;
}

bool tr_cycle_stamp_number(const struct tr_dict *d, struct tr_arg_value v, uint32_t *out)
{
    if (v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1 || v.type == TR_T_HEX + 1) {
        *out = (uint32_t)v.v;
        return v.v >= 0 && v.v <= UINT32_MAX;
    }
    if (v.type != TR_T_STRING + 1)
        return false;
    return parse(tr_strtab_get(d->strings, (uint32_t)v.v), tr_strtab_len(d->strings, (uint32_t)v.v), out);
}

/* Stamps without wraps of the counter. */
static void unroll(struct tr_cycle_stamps *s)
{
    s->at[0] = s->raw[0];
    for (unsigned k = 1; k < TR_N_CYCLE_STAMPS; k++)
        s->at[k] = s->at[k - 1] + (uint32_t)(s->raw[k] - s->raw[k - 1]);
}

static enum tr_cycle_stamp_part name_part(struct tr_cycle_stamp_reader *r, const struct tr_batch *b, uint32_t name)
{
    if (name == TR_NO_STR || name >= r->n_part)
        return TR_CYCLE_STAMP_WHOLE;
    if (!r->part[name])
        r->part[name] = (uint8_t)(1 + part_of(tr_strtab_get(b->dict->strings, name),
                                              tr_strtab_len(b->dict->strings, name)));
    return (enum tr_cycle_stamp_part)(r->part[name] - 1);
}

enum tr_cycle_stamps_found tr_cycle_stamps_take(struct tr_cycle_stamp_reader *r, const struct tr_batch *b, size_t i,
                                                struct tr_cycle_stamps *out)
{
    static const uint8_t from[] = { 0, 0, 1, 2, 3 }, to[] = { 4, 1, 2, 3, 4 };
    struct tr_arg_value v[TR_N_CYCLE_STAMPS];
    bool span = b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE && b->dur[i] >= 0 &&
                b->suspect[i] == TR_SUSPECT_NO;
    if (!span) {
        tr_args_pass(&r->args, b, i);
        return TR_CYCLE_STAMPS_NONE;
    }
    bool whole = tr_args_take(&r->args, b, i, v);
    if (!v[0].type)
        return TR_CYCLE_STAMPS_NONE;
    for (unsigned k = 0; k < TR_N_CYCLE_STAMPS; k++)
        if (!whole || !tr_cycle_stamp_number(b->dict, v[k], &out->raw[k]))
            return TR_CYCLE_STAMPS_UNUSABLE;
    out->part = name_part(r, b, b->name[i]);
    out->from = from[out->part];
    out->to = to[out->part];
    unroll(out);
    return TR_CYCLE_STAMPS_FOUND;
}
