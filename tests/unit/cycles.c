/* SPDX-License-Identifier: MIT */
/* Cycle stamps are read in every form that they have, and cycles become times by exact rounding. */
#include "analysis/clocks/tr_cycles.h"
#include "model/tr_cycle_stamps.h"

#include "ingest_emit.h"

/* By hand: c cycles at hz are c * 10^9 / hz ns, half a ns away from 0. */
static void test_rounding(struct tap *t)
{
    static const struct {
        int64_t cycles, hz, ns;
    } cases[] = {
        { 0, 1, 0 },
        { 1, 1, 1000000000 },
        { 1, 2000000000, 1 }, /* half */
        { 1, 2000000001, 0 }, /* just below */
        { -1, 2000000000, -1 },
        { -1, 2000000001, 0 },
        { 3, 2000000000, 2 },
        { 196942, 560000000, 351682 }, /* 351682.1428... */
        { 196942, 557050000, 353545 }, /* 353544.5651... */
        { INT64_MAX, 1000000000, INT64_MAX },
        { -INT64_MAX, 1000000000, -INT64_MAX },
        { INT64_MAX, TR_CYCLES_HZ_MAX, INT64_MAX / 100 },
    };
    int64_t ns;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tap_ok(t, tr_cycles_ns(cases[i].cycles, cases[i].hz, &ns) && ns == cases[i].ns, "case %zu of rounding", i);
    tap_ok(t, !tr_cycles_ns(INT64_MAX, 999999999, &ns), "beyond 64 bits");
    tap_ok(t, !tr_cycles_ns(-INT64_MAX, 1, &ns), "below 64 bits");
}

static const struct form {
    const char *name, *text[TR_N_CYCLE_STAMPS]; /* "#": the number after it; NULL: absent */
    enum tr_cycle_stamps_found found;
    enum tr_cycle_stamp_part part;
    int64_t first, last; /* of the part, counted on */
} forms[] = {
    { "a DmaI", { "1", "2", "3", "4", "5" }, TR_CYCLE_STAMPS_FOUND, TR_CYCLE_STAMP_DMA_IN, 1, 2 },
    { "a Cmpt Prep_7", { "0x1", "0XfF", "#256", "#257", "258" }, TR_CYCLE_STAMPS_FOUND, TR_CYCLE_STAMP_PREP, 255, 256 },
    { "a Cmpt Exec", { "4294967295", "0", "1", "0", "0" }, TR_CYCLE_STAMPS_FOUND, TR_CYCLE_STAMP_COMPUTE, 4294967297, 8589934592 },
    { "a DmaO", { "#4294967295", "0xffffffff", "0x0", "7", "7" }, TR_CYCLE_STAMPS_FOUND, TR_CYCLE_STAMP_DMA_OUT, 4294967303,
      4294967303 },
    { "else", { "9", "9", "9", "9", "8" }, TR_CYCLE_STAMPS_FOUND, TR_CYCLE_STAMP_WHOLE, 9, 4294967304 },
    { "beyond 32 bits", { "1", "4294967296", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "beyond 32 bits, hexadecimal", { "1", "0x100000000", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "below 0", { "1", "#-1", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "no digits", { "1", "0x", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "empty", { "1", "", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "letters", { "1", "0xfg", "1", "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "one absent", { "1", "1", NULL, "1", "1" }, TR_CYCLE_STAMPS_UNUSABLE, 0, 0, 0 },
    { "none", { NULL, "1", "1", "1", "1" }, TR_CYCLE_STAMPS_NONE, 0, 0, 0 },
};
#define N_FORMS (sizeof forms / sizeof *forms)

static enum tr_status emit_forms(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    static const char *const keys[] = { "TS1", "TS2", "TS3", "TS4", "TS5" };
    for (size_t i = 0; i < N_FORMS; i++) {
        struct tr_ingest_track track = host(1, 1);
        tr_ingest_begin(g, TR_SPAN, 1000 + (int64_t)i, 5);
        tr_ingest_record(g, i);
        tr_ingest_name(g, forms[i].name, strlen(forms[i].name));
        tr_ingest_track(g, &track);
        for (unsigned k = 0; k < TR_N_CYCLE_STAMPS; k++) {
            const char *text = forms[i].text[k];
            if (text && *text == '#')
                tr_ingest_arg_int(g, keys[k], strtoll(text + 1, NULL, 10));
            else if (text)
                tr_ingest_arg_text(g, keys[k], text, strlen(text));
        }
        end(g);
    }
    return TR_END;
}

static void test_forms(struct tap *t)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_cycle_stamp_reader r = { .dict = NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    struct tr_cycle_stamps s;
    size_t seen = 0;
    const struct tr_open_opts opts = { 0 };
    NEED(open_emitted(&in, emit_forms, &opts, &err) == TR_OK);
    while (tr_input_next(in, &b, &err) == TR_OK) {
        NEED(tr_cycle_stamps_start(&r, b));
        for (size_t i = 0; i < b->n; i++, seen++) {
            const struct form *f = &forms[b->record[i]];
            enum tr_cycle_stamps_found found = tr_cycle_stamps_take(&r, b, i, &s);
            bool good = found == f->found;
            if (good && found == TR_CYCLE_STAMPS_FOUND)
                good = s.part == f->part && s.at[s.from] == f->first && s.at[s.to] == f->last;
            tap_ok(t, good, "stamps: %s", f->name);
        }
    }
    tap_ok(t, seen == N_FORMS, "every form was seen");
    tr_cycle_stamps_free(&r);
    tr_input_close(in);
}

int main(void)
{
    struct tap t = { 0 };
    test_rounding(&t);
    test_forms(&t);
    return tap_end(&t);
}
