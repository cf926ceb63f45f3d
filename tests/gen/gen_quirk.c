/* SPDX-License-Identifier: MIT */
/*
 * Events with a planted defect, as text: the sound text is printed first and then edited, so that
 * the printer itself knows nothing of defects.
 */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

struct quirk {
    struct gen_file *f;
    const struct gen_ev *e;
    struct gen_seen seen;
    char name[512]; /* as it must come out */
    size_t name_n;
    bool delivered;
};

/* Offset in the buffer of what follows key in the element just printed. */
static size_t after(const struct gen_file *f, const char *key)
{
    const struct gen_out *o = &f->out;
    size_t n = strlen(key);
    for (size_t i = f->elem_buf; i + n <= o->len; i++)
        if (!memcmp(o->buf + i, key, n))
            return i + n;
    gen_die(4, "defect without a place: %s", key);
}

/* The length of the number at offset at. */
static size_t number_len(const struct gen_file *f, size_t at)
{
    size_t n = 0;
    while (at + n < f->out.len && strchr("0123456789.-", f->out.buf[at + n]))
        n++;
    return n;
}

static void replace_number(struct gen_file *f, const char *key, const char *text)
{
    size_t at = after(f, key);
    gen_out_edit(&f->out, at, number_len(f, at), text, strlen(text));
}

static void wrap_number(struct gen_file *f, const char *key, const char *before, const char *tail)
{
    size_t at = after(f, key), n = number_len(f, at);
    gen_out_edit(&f->out, at + n, 0, tail, strlen(tail));
    gen_out_edit(&f->out, at, 0, before, strlen(before));
}

static void insert_arg(struct gen_file *f, const char *text)
{
    size_t at = after(f, "\"args\": {");
    while (strchr(" \n", f->out.buf[at]))
        at++;
    gen_out_edit(&f->out, at, 0, text, strlen(text));
}

/* Put raw into the middle of the name, to be read as cooked. */
static void change_name(struct quirk *q, const char *raw, const char *cooked)
{
    size_t mid = q->name_n / 2, n = strlen(cooked);
    gen_out_edit(&q->f->out, after(q->f, "\"name\": \"") + mid, 0, raw, strlen(raw));
    memmove(q->name + mid + n, q->name + mid, q->name_n - mid);
    memcpy(q->name + mid, cooked, n);
    q->name_n += n;
}

static void exponent(struct quirk *q)
{
    char digits[40], text[64];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)q->seen.ts);
    if (q->seen.ts < 10)
        return; /* stays as it is */
    snprintf(text, sizeof text, "%c.%se%d", digits[0], digits + 1, n - 4);
    replace_number(q->f, "\"ts\": ", text);
}

/* Nanoseconds as microseconds with three decimals, and further digits after them. */
static void print_us(char text[64], int64_t ns, const char *digits)
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    snprintf(text, 64, "%s%llu.%03d%s", ns < 0 ? "-" : "", (unsigned long long)(v / 1000), (int)(v % 1000),
             digits);
}

static void sub_ns(struct quirk *q)
{
    char text[64];
    print_us(text, q->seen.ts, "4999");
    replace_number(q->f, "\"ts\": ", text);
    print_us(text, q->seen.dur, "5");
    replace_number(q->f, "\"dur\": ", text);
    q->seen.dur++;
}

static void drop_text(struct gen_file *f, const char *text, bool with_number)
{
    size_t end = after(f, text), start = end - strlen(text);
    gen_out_edit(&f->out, start, end - start + (with_number ? number_len(f, end) : 0), "", 0);
}

/* The same with the comma and blank that follow. */
static void drop_member(struct gen_file *f, const char *key)
{
    size_t start = after(f, key) - strlen(key);
    drop_text(f, key, true);
    gen_out_edit(&f->out, start, 2, "", 0);
}

static void array_args(struct gen_file *f)
{
    size_t at = after(f, "\"args\": "), end = f->out.len;
    while (f->out.buf[--end] != '}') /* of the event */
        ;
    while (f->out.buf[--end] != '}') /* of args */
        ;
    gen_out_edit(&f->out, at, end + 1 - at, "[1, \"two\"]", 10);
}

static void quirk_name(struct quirk *q, int plant)
{
    static const char *const raw[] = { "\\p",     "\x01\n",         "\xff\xc3",
                                       "\\ud83d", "\\ud83d\\ude80", "\"odd\" ones" };
    static const char *const cooked[] = { "\\p",          "\x01\n",           "\xff\xc3",
                                          "\xef\xbf\xbd", "\xf0\x9f\x9a\x80", "\"odd\" ones" };
    change_name(q, raw[plant - GEN_P_BAD_ESCAPE], cooked[plant - GEN_P_BAD_ESCAPE]);
}

static void quirk_time(struct quirk *q, int plant)
{
    struct gen_file *f = q->f;
    switch (plant) {
    case GEN_P_NAN_TS: replace_number(f, "\"ts\": ", "NaN"); break;
    case GEN_P_TS_STRING: wrap_number(f, "\"ts\": ", "\"", "\""); break;
    case GEN_P_TS_BAD_STRING: replace_number(f, "\"ts\": ", "\"12,5\""); break;
    case GEN_P_TS_HUGE: replace_number(f, "\"ts\": ", "99999999999999999999.000"); break;
    case GEN_P_TS_MISSING: drop_member(f, "\"ts\": "); break;
    case GEN_P_TS_EXPONENT: exponent(q); break;
    case GEN_P_TS_LEADING_ZERO: {
        size_t at = after(f, "\"ts\": ");
        gen_out_edit(&f->out, at + (f->out.buf[at] == '-'), 0, "0", 1);
        break;
    }
    case GEN_P_TS_NEGATIVE_PARTS:
        replace_number(f, "\"ts\": ", "-1.-22");
        q->seen.ts = -1022;
        if (f->j->o->base == GEN_BASE_ABSENT || f->j->o->bare_array)
            q->seen.cls = GEN_C_TOLERATED; /* long ago, but possible */
        break;
    case GEN_P_SUB_NS: sub_ns(q); break;
    case GEN_P_ZERO_TS:
        replace_number(f, "\"ts\": ", "0");
        replace_number(f, "\"dur\": ", "0");
        q->seen.ts = q->seen.dur = 0;
        break;
    case GEN_P_DUR_STRING: wrap_number(f, "\"dur\": ", "\"", "\""); break;
    case GEN_P_DUR_NULL:
        replace_number(f, "\"dur\": ", "null");
        q->seen.dur = -1;
        break;
    case GEN_P_DUR_MISSING:
        drop_text(f, ", \"dur\": ", true);
        q->seen.dur = -1;
        break;
    case GEN_P_DUR_NEGATIVE:
        replace_number(f, "\"dur\": ", "-5.250");
        q->seen.dur = -5250;
        break;
    case GEN_P_DUR_CENTURIES:
        replace_number(f, "\"dur\": ", "3155760000000000.000");
        q->seen.dur = 3155760000000000000;
        break;
    case GEN_P_DUR_PLUS:
        if (!q->seen.dur)
            replace_number(f, "\"dur\": ", "0.000");
        wrap_number(f, "\"dur\": ", "+", "");
        break;
    case GEN_P_DUR_LEADING_DOT:
        replace_number(f, "\"dur\": ", ".515");
        q->seen.dur = 515;
        break;
    default: replace_number(f, "\"dur\": ", "7."); q->seen.dur = 7000;
    }
}

static void quirk_other(struct quirk *q, int plant)
{
    struct gen_file *f = q->f;
    switch (plant) {
    case GEN_P_ESCAPED_KEY: gen_out_edit(&f->out, after(f, "\"n") - 1, 4, "n\\u0061me", 9); break;
    case GEN_P_NAN_ARG: insert_arg(f, "\"odd value\": NaN, "); break;
    case GEN_P_INF_ARG: insert_arg(f, "\"odd value\": Infinity, "); break;
    case GEN_P_NEG_INF_ARG: insert_arg(f, "\"odd value\": -Infinity, "); break;
    case GEN_P_INF_WORD_ARG: insert_arg(f, "\"odd value\": inf, \"odder value\": -nan, "); break;
    case GEN_P_UINT64: insert_arg(f, "\"odd value\": 18446744073709551615, "); break;
    case GEN_P_HUGE_INT: insert_arg(f, "\"odd value\": 123456789012345678901234567890, "); break;
    case GEN_P_DOUBLE17:
        insert_arg(f,
                   "\"odd value\": 0.10000000000000001, \"odder value\": 1.7976931348623157e308, ");
        break;
    case GEN_P_EXPONENT: insert_arg(f, "\"odd value\": 1.5e3, \"odder value\": 1E-7, "); break;
    case GEN_P_DUPLICATE_KEY: {
        size_t at = f->out.len;
        while (f->out.buf[--at] != '}')
            ;
        gen_out_edit(&f->out, at, 0, ", \"name\": \"the last one\"", 24);
        q->name_n = (size_t)snprintf(q->name, sizeof q->name, "the last one");
        break;
    }
    case GEN_P_ARGS_NOT_OBJECT: array_args(f); break;
    case GEN_P_STRING_PID: replace_number(f, "\"pid\": ", "\"CPU functions\""); break;
    case GEN_P_STRING_TID: replace_number(f, "\"tid\": ", "\"stream 7\""); break;
    case GEN_P_NUMERIC_STRING_TID: wrap_number(f, "\"tid\": ", "\"", "\""); break;
    case GEN_P_REAL_TID: wrap_number(f, "\"tid\": ", "", ".0"); break;
    case GEN_P_MISSING_TID: drop_text(f, ", \"tid\": ", true); break;
    case GEN_P_MISSING_PID: drop_member(f, "\"pid\": "); break;
    case GEN_P_STRING_STREAM: {
        bool xpu = f->j->o->vendor == GEN_XPU;
        wrap_number(f, xpu ? "\"sycl queue\": " : "\"stream\": ", "\"", "\"");
        break;
    }
    case GEN_P_MISSING_PH: drop_text(f, "\"ph\": \"X\", ", false); break;
    case GEN_P_TORN: f->out.len = after(f, "\"name\": \"") + q->name_n / 2; break;
    default: break;
    }
}

/* ---- spans as B and E ---- */

static void end_element(struct gen_file *f, const struct gen_ev *e, int64_t end)
{
    struct gen_out *o = &f->out;
    gen_elem_start(f);
    gen_str(o, f->y.open);
    GEN_LIT(o, "\"ph\": \"E\", ");
    if (e->plant != GEN_P_END_ANON) {
        GEN_LIT(o, "\"cat\": \"");
        gen_cstr(o, gen_cat(f, e));
        GEN_LIT(o, "\", \"name\": \"");
        gen_cstr(o, e->name);
        GEN_LIT(o, "\", ");
    }
    gen_str(o, f->lane[e->lane]);
    GEN_LIT(o, ", \"ts\": ");
    gen_us(o, end, f->y.trim);
    if (e->plant == GEN_P_END_ARGS) {
        gen_str(o, f->y.args);
        GEN_LIT(o, "\"result\": \"done\", \"Ev Idx\": -1");
        gen_str(o, f->y.args_end);
    }
    gen_str(o, f->y.close);
    gen_elem_end(f, &(struct gen_seen){ NULL, e->plant == GEN_P_END_ANON ? "" : gen_cat(f, e), 'E',
                                        end, -1, GEN_C_STRUCTURE });
}

/* An E kept for later (see GEN_P_BEGIN_END) comes back here with its times in .ts and .a. */
static void start_end(struct quirk *q)
{
    struct gen_file *f = q->f;
    const struct gen_ev *e = q->e;
    int64_t end = q->seen.ts + q->seen.dur;

    if (e->plant == GEN_P_END_FIRST)
        end_element(f, e, end);
    gen_elem_start(f);
    gen_print_body(f, e, q->seen.ts, q->seen.dur);
    gen_out_edit(&f->out, after(f, "\"ph\": \""), 1, "B", 1);
    drop_text(f, ", \"dur\": ", true);
    q->seen.ph = 'B';
    q->seen.cls = GEN_C_STRUCTURE;
    if (f->truth && gen_pos(&f->out) <= f->out.limit)
        gen_truth_planted(f->truth, f, e->plant, &q->seen, q->name, q->name_n);
    gen_elem_end(f, &q->seen);
    if (e->plant == GEN_P_BEGIN_END) {
        struct gen_ev *later = gen_push(&f->pending);
        *later = *e;
        later->ph = 'E';
    } else if (e->plant != GEN_P_END_FIRST) {
        end_element(f, e, end);
    }
}

/* ---- elements of their own ---- */

static void inserted(struct gen_file *f, int plant, const char *text, char ph, const char *cat,
                     int64_t ts, int64_t dur, int cls)
{
    struct gen_seen s = { NULL, cat, ph, ts, dur, cls };
    gen_elem_start(f);
    gen_cstr(&f->out, text);
    if (f->truth && plant && gen_pos(&f->out) <= f->out.limit)
        gen_truth_planted(f->truth, f, plant, cls == GEN_C_LOST || cls == GEN_C_SKIPPED ? NULL : &s,
                          NULL, 0);
    gen_elem_end(f, &s);
}

/* Elements that defects insert, in the order in which they are printed. */
static const struct insertion {
    int plant;
    char ph;
    const char *cat, *name, *id_key, *more;
    int64_t dur;
    int cls;
} insertions[] = {
    { GEN_P_LONE_BEGIN, 'B', "user_annotation", "unfinished", NULL, "", -1, GEN_C_STRUCTURE },
    { GEN_P_LONE_END, 'E', "user_annotation", "never begun", NULL, "", -1, GEN_C_STRUCTURE },
    { GEN_P_ASYNC, 'b', "request", "fetch", "id", "", -1, GEN_C_STRUCTURE },
    { GEN_P_ASYNC, 'n', "request", "fetch", "id", "", -1, GEN_C_STRUCTURE },
    { GEN_P_ASYNC, 'e', "request", "fetch", "id", "", -1, GEN_C_STRUCTURE },
    { GEN_P_ASYNC_NO_ID, 'b', "request", "fetch", NULL, "", -1, GEN_C_STRUCTURE },
    { GEN_P_BIND_FLOW, 'X', "rpc", "call", "bind_id", ", \"dur\": 0.100, \"flow_out\": true", 100,
      GEN_C_STRUCTURE },
    { GEN_P_BIND_FLOW, 'X', "rpc", "answer", "bind_id", ", \"dur\": 0.200, \"flow_in\": true", 200,
      GEN_C_STRUCTURE },
    { GEN_P_FLOW_STEP, 'f', "stage", "hop", "id", ", \"bp\": \"e\"", -1, GEN_C_STRUCTURE },
    { GEN_P_FLOW_STEP, 's', "stage", "hop", "id", "", -1, GEN_C_STRUCTURE },
    { GEN_P_FLOW_STEP, 't', "stage", "hop", "id", "", -1, GEN_C_STRUCTURE },
    { GEN_P_COUNTER_STRING, 'C', "", "queue", NULL, ", \"args\": {\"depth\": \"17\"}", -1,
      GEN_C_STRUCTURE },
    { GEN_P_COUNTER_NAN, 'C', "", "queue", NULL, ", \"args\": {\"depth\": 3, \"load\": NaN}", -1,
      GEN_C_STRUCTURE },
    { GEN_P_COUNTER_NO_ARGS, 'C', "", "queue", NULL, "", -1, GEN_C_STRUCTURE },
};

static void insert_events(struct gen_file *f, int plant, int64_t ts, const char *now)
{
    uint32_t id = gen_below(&f->rng, 1000000);
    char t[512];
    bool first = true;

    for (size_t i = 0; i < sizeof insertions / sizeof *insertions; i++) {
        const struct insertion *in = &insertions[i];
        if (in->plant != plant)
            continue;
        int n = snprintf(t, sizeof t, "{\"ph\": \"%c\", ", in->ph);
        if (*in->cat)
            n += snprintf(t + n, sizeof t - (size_t)n, "\"cat\": \"%s\", ", in->cat);
        n += snprintf(t + n, sizeof t - (size_t)n, "\"name\": \"%s\", %s, \"ts\": %s", in->name,
                      f->lane_text[GEN_LANE_SIDE], now);
        if (in->id_key)
            n += snprintf(t + n, sizeof t - (size_t)n, ", \"%s\": \"0x%x\"", in->id_key, id);
        snprintf(t + n, sizeof t - (size_t)n, "%s}", in->more);
        inserted(f, first ? plant : 0, t, in->ph, in->cat, ts, in->dur, in->cls);
        first = false;
    }
}

static void insert_text(struct gen_file *f, int plant, int64_t ts, const char *now)
{
    static const char *const not_objects[] = { "42", "\"text\"", "[1, 2]", "true" };
    static const char phases[] = "NDvcPRSF";
    char t[512];

    if (plant == GEN_P_NULL_EVENT) {
        inserted(f, plant, "null", 0, "", 0, -1, GEN_C_SKIPPED);
    } else if (plant == GEN_P_NON_OBJECT) {
        inserted(f, plant, not_objects[gen_below(&f->rng, 4)], 0, "", 0, -1, GEN_C_SKIPPED);
    } else if (plant == GEN_P_EMPTY_EVENT) {
        inserted(f, plant, "{}", 0, "", 0, -1, GEN_C_SKIPPED);
    } else if (plant == GEN_P_ODD_PHASE) {
        char ph = phases[gen_below(&f->rng, sizeof phases - 1)];
        snprintf(t, sizeof t,
                 "{\"ph\": \"%c\", \"cat\": \"odd\", \"name\": \"thing\", \"id\": 7, %s, "
                 "\"ts\": %s, \"args\": {\"snapshot\": {}}}",
                 ph, f->lane_text[GEN_LANE_SIDE], now);
        inserted(f, plant, t, ph, "odd", ts, -1, GEN_C_STRUCTURE);
    } else {
        insert_events(f, plant, ts, now);
    }
}

void gen_print_inserted(struct gen_file *f, const struct gen_ev *e, int64_t ts)
{
    char now[64];
    if (e->plant == GEN_P_EQUAL_TS) { /* a whole second of the epoch, counted alike on every rank */
        static const int64_t second = 1716423323000000000;
        ts = second + 1000000 * (int64_t)f->n_equal++ - f->base;
        char t[512];
        print_us(now, ts, "");
        snprintf(t, sizeof t,
                 "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"same time "
                 "everywhere\", %s, \"ts\": %s, \"dur\": 1.000}",
                 f->lane_text[GEN_LANE_SIDE], now);
        inserted(f, e->plant, t, 'X', "user_annotation", ts, 1000, GEN_C_STRUCTURE);
        return;
    }
    print_us(now, ts, "");
    insert_text(f, e->plant, ts, now);
}

/* ---- the whole event ---- */

static void nested_driver(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur)
{
    struct gen_ev inner = *e;
    inner.type = GEN_T_DRIVER;
    inner.name = f->j->o->vendor == GEN_AMD   ? "hipModuleLaunchKernel"
                 : f->j->o->vendor == GEN_XPU ? "zeCommandListAppendLaunchKernel"
                                              : "cuLaunchKernel";
    inner.a = 307;
    inner.plant = 0;
    int64_t margin = f->j->o->grid_ns ? 0 : 500;
    struct gen_seen s = { &inner, gen_cat(f, &inner), 'X', ts + margin, dur - 2 * margin, GEN_C_STRUCTURE };
    gen_elem_start(f);
    gen_print_body(f, &inner, s.ts, s.dur);
    gen_elem_end(f, &s);
}

static void edit(struct quirk *q, int plant)
{
    if (plant >= GEN_P_BAD_ESCAPE && plant <= GEN_P_QUOTE_IN_NAME)
        quirk_name(q, plant);
    else if ((plant >= GEN_P_NAN_TS && plant <= GEN_P_DUR_TRAILING_DOT) || plant == GEN_P_ZERO_TS)
        quirk_time(q, plant);
    else
        quirk_other(q, plant);
}

static bool is_insertion(int plant)
{
    return (plant >= GEN_P_LONE_BEGIN && plant <= GEN_P_FLOW_STEP) || plant >= GEN_P_NULL_EVENT;
}

static void after_event(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur)
{
    switch (e->plant) {
    case GEN_P_NESTED_DRIVER: nested_driver(f, e, ts, dur); break;
    case GEN_P_TORN:
    case GEN_P_MISSING_COMMA: f->skip_comma = true; break;
    case GEN_P_DOUBLE_COMMA: GEN_LIT(&f->out, ","); break;
    default:
        if (is_insertion(e->plant))
            gen_print_inserted(f, e, ts);
    }
}

void gen_print_planted(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur)
{
    struct gen_out *o = &f->out;
    int plant = e->plant, cls = gen_plants[plant].cls;
    struct quirk q = { .f = f, .e = e, .seen = { e, gen_cat(f, e), 'X', ts, dur, cls } };

    if (e->type == GEN_T_KERNEL) {
        q.name_n = ((const struct gen_kernel *)e->info)->name.n;
        memcpy(q.name, ((const struct gen_kernel *)e->info)->name.s, q.name_n);
    } else {
        q.name_n = (size_t)snprintf(q.name, sizeof q.name, e->flags & GEN_F_NUM ? "%s%d" : "%s",
                                    e->name, e->num);
    }
    if (e->ph == 'E') {
        end_element(f, e, ts + dur);
        return;
    }
    if (plant >= GEN_P_BEGIN_END && plant <= GEN_P_END_ANON) {
        start_end(&q);
        return;
    }
    gen_elem_start(f);
    gen_print_body(f, e, ts, dur);
    if (is_insertion(plant)) {
        q.seen.cls = 0;
    } else {
        if (plant != GEN_P_TRUNCATE)
            edit(&q, plant);
        else if (o->limit == UINT64_MAX)
            o->limit = f->elem_at + 1 + gen_below(&f->rng, (uint32_t)(o->len - f->elem_buf - 1));
        if (f->truth && (plant == GEN_P_TRUNCATE ? f->elem_at : gen_pos(o)) <= o->limit)
            gen_truth_planted(f->truth, f, plant,
                              cls == GEN_C_LOST || cls == GEN_C_FILE ? NULL : &q.seen, q.name,
                              q.name_n);
    }
    if (plant == GEN_P_NESTED_DRIVER) /* the inner call owns the work */
        q.seen.ev = NULL;
    gen_elem_end(f, &q.seen);
    after_event(f, e, ts, dur);
}
