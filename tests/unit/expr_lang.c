/* SPDX-License-Identifier: MIT */
/* The filter language: what it accepts and refuses, where it points, and what expressions mean. */
#include "expr/tr_expr.h"

#include "expr_build.h"

/* --- a small stream --------------------------------------------------------------------------- */

static int64_t bits(double v)
{
    int64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

#define ARG(k, t, val, text)           \
    {                                  \
        k, TR_PLACE_ARGS, t, val, text \
    }
#define US 1000

enum { HOST, GPU, ODD, NO_RANK };

static const struct event events[] = {
    /* 0 */ { .ts = TR_TIME_NONE,
              .dur = TR_TIME_NONE,
              .track = HOST,
              .name = "process_name",
              .phase = TR_META,
              .n_members = 1,
              .members = { ARG("name", TR_T_STRING, 0, "python") } },
    /* 1 */
    { .ts = 1000 * US,
      .dur = 500 * US,
      .track = HOST,
      .name = "ProfilerStep#3",
      .cat = "user_annotation",
      .activity = TR_ACT_ANNOTATION },
    /* 2 */
    { .ts = 1010 * US,
      .dur = 100 * US,
      .track = HOST,
      .name = "aten::mm",
      .cat = "cpu_op,Operator",
      .activity = TR_ACT_CPU_OP,
      .n_members = 5,
      .members = { ARG("External id", TR_T_INT, 77, NULL),
                   ARG("Input Dims", TR_T_JSON, 0, "[[2, 3], [3, 4]]"),
                   ARG("ok", TR_T_TRUE, 0, NULL), ARG("none", TR_T_NULL, 0, NULL),
                   ARG("mixed", TR_T_STRING, 0, "12") } },
    /* 3 */
    { .ts = 1020 * US,
      .dur = 5 * US,
      .track = HOST,
      .name = "cudaLaunchKernel",
      .cat = "cuda_runtime",
      .activity = TR_ACT_RUNTIME_API,
      .flags = TR_HAS_DEVICE,
      .n_device = 1,
      .n_members = 2,
      .members = { ARG("correlation", TR_T_INT, 5, NULL), ARG("mixed", TR_T_INT, 12, NULL) } },
    /* 4 */
    { .ts = 1025 * US,
      .dur = TR_TIME_NONE,
      .track = HOST,
      .name = "[memory]",
      .cat = "cpu_instant_event",
      .phase = TR_INSTANT,
      .activity = TR_ACT_MEMORY_INSTANT,
      .n_members = 3,
      .members = { ARG("bytes", TR_T_INT, 1 << 20, NULL),
                   ARG("huge", TR_T_UINT, (int64_t)UINT64_MAX, NULL),
                   ARG("mixed", TR_T_DECIMAL, (INT64_C(125) << 6) | 1, NULL) } },
    /* 5 */
    { .ts = 1600 * US,
      .dur = 50 * US,
      .track = GPU,
      .name = "gemm",
      .cat = "kernel",
      .activity = TR_ACT_KERNEL,
      .kind = TR_KIND_COMPUTE,
      .flags = TR_HAS_LAUNCH | TR_HAS_CLASS,
      .launch_ts = 1020 * US,
      .launch_record = 3,
      .class_name = "matmul",
      .n_members = 3,
      .members = { ARG("correlation", TR_T_STRING, 0, "5"), ARG("ratio", TR_T_DOUBLE, 0, NULL),
                   ARG("mixed", TR_T_NUMBER, 0, "NaN") } },
    /* 6 */
    { .ts = 1660 * US,
      .dur = 50 * US + 1,
      .track = GPU,
      .name = "ncclAllReduce",
      .cat = "kernel",
      .activity = TR_ACT_KERNEL,
      .kind = TR_KIND_COMM },
    /* 7 */
    { .ts = 1700 * US,
      .dur = -4,
      .track = ODD,
      .name = "odd",
      .n_members = 1,
      .suspect = TR_SUSPECT_NEGATIVE_DUR,
      .members = { ARG("mixed", TR_T_STRING, 0, "abc") } },
    /* 8 */ { .ts = 1800 * US, .dur = 0, .track = NO_RANK, .name = "lonely" },
};
#define N_EVENTS (sizeof events / sizeof *events)

struct stream {
    struct tr_dict *dict;
    struct tr_batch *batch;
    struct tr_summary *summary;
};

static struct stream build(void)
{
    struct stream s = { must(tr_dict_new()), must(tr_batch_new()), must(tr_summary_new(2)) };
    uint32_t known = add_source(s.dict, 3, "node-1"), unknown = add_source(s.dict, -1, NULL);
    struct tr_track t = host_track(known, 1234, 99);
    t.process_name = str(s.dict, "python");
    t.thread_name = str(s.dict, "main thread");
    tr_dict_add_track(s.dict, &t);
    t = device_track(known, 0, 7);
    tr_dict_add_track(s.dict, &t);
    t = host_track(known, str(s.dict, "Spans"), str(s.dict, "12"));
    t.pid_type = t.tid_type = TR_T_STRING;
    tr_dict_add_track(s.dict, &t);
    t = host_track(unknown, 1, 1);
    t.tid_type = TR_T_NULL;
    tr_dict_add_track(s.dict, &t);
    struct tr_step step = { .number = 3, .start = 1000 * US, .end = 1500 * US, .track = HOST };
    tr_summary_add_step(&s.summary->sources[0], &step);
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct event e = events[i];
        e.record = i;
        for (int k = 0; k < e.n_members; k++)
            if (e.members[k].type == TR_T_DOUBLE)
                e.members[k].v = bits(1.0 / 3);
        add_event(s.dict, s.batch, &e);
    }
    return s;
}

static void destroy(struct stream *s)
{
    tr_batch_free(s->batch);
    tr_dict_free(s->dict);
    tr_summary_free(s->summary);
}

/* --- meaning ---------------------------------------------------------------------------------- */

static const struct {
    const char *expr, *selected; /* digits of the events */
} meaning[] = {
    { "true", "012345678" },
    { "false", "" },
    { "!true", "" },
    { "!!true", "012345678" },
    { "name == gemm", "5" },
    { "name == 'gemm'", "5" },
    { "name != gemm", "01234678" },
    { "name =~ '^n'", "6" },
    { "name =~ \"Kernel$\"", "3" },
    { "name =~ '::'", "2" },
    { "name !~ 'e'", "7" },
    { "name =~ \"\\[mem\"", "4" },
    { "name in (gemm, lonely, \"x y\")", "58" },
    { "cat == kernel", "56" },
    { "cat == cpu_op", "2" },
    { "cat == Operator", "2" },
    { "cat == 'cpu_op,Operator'", "2" },
    { "cat == op", "" },
    { "cat =~ '^Op'", "2" },
    { "cat != kernel", "1234" },
    { "!(cat == kernel)", "0123478" },
    { "has(cat)", "123456" },
    { "activity == kernel", "56" },
    { "activity in (kernel, cpu_op)", "256" },
    { "activity != kernel", "0123478" },
    { "activity =~ '_op$'", "2" },
    { "activity !~ kernel", "0123478" },
    { "kind == comm", "6" },
    { "kind != comm", "5" },
    { "has(kind)", "56" },
    { "has(activity)", "012345678" },
    { "phase == span", "1235678" },
    { "phase == metadata || phase == instant", "04" },
    { "class == matmul", "5" },
    { "class != matmul", "" },
    { "has(class)", "5" },
    { "ts >= 1700us", "78" },
    { "ts < 1.01ms", "1" },
    { "ts <= 1.01ms", "12" },
    { "has(ts)", "12345678" },
    { "dur == 50us", "5" },
    { "dur > 50us", "126" },
    { "dur > 0.05ms", "126" },
    { "dur > 50000.5ns", "126" },
    { "dur >= 50001ns", "126" },
    { "dur <= 50us", "3578" },
    { "dur == 0", "8" },
    { "dur != 0", "123567" },
    { "dur < 0", "7" },
    { "dur < -3ns", "7" },
    { "has(dur)", "1235678" },
    { "dur in 5us..50us", "35" },
    { "dur in (5us, 100us..1s)", "123" },
    { "dur in (5us..50us, 5us..6us)", "35" },
    { "!(dur in 5us..50us)", "0124678" },
    { "end == 1.11ms", "2" },
    { "end <= 1.11ms", "23" },
    { "has(end)", "1235678" },
    { "pid == 1234", "01234" },
    { "pid == Spans", "7" },
    { "pid != 1234", "5678" },
    { "tid == 12", "7" },
    { "tid == '12'", "7" },
    { "tid == '012'", "" },
    { "tid in 10..99", "012347" },
    { "has(tid)", "01234567" },
    { "rank == 3", "01234567" },
    { "rank != 3", "" },
    { "!has(rank)", "8" },
    { "host == node-1", "01234567" },
    { "host =~ 'node'", "01234567" },
    { "device == 0", "56" },
    { "stream == 7 && kind == comm", "6" },
    { "stream in (1, 7)", "56" },
    { "!has(stream)", "0123478" },
    { "process == python", "01234" },
    { "thread == 'main thread'", "01234" },
    { "correlation == 5", "35" },
    { "correlation in 4..6", "35" },
    { "args.correlation == \"5\"", "35" },
    { "has(correlation)", "35" },
    { "step == 3", "12345" },
    { "step != 3", "" },
    { "has(step) && activity == kernel", "5" },
    { "depth == 0", "15678" },
    { "depth == 1", "2" },
    { "depth >= 2", "3" },
    { "has(depth)", "1235678" },
    { "args.bytes == 1MiB", "4" },
    { "args.bytes >= 1048.576KB", "4" },
    { "args.bytes > 1MB", "4" },
    { "args.bytes < 1e6", "" },
    { "args.\"External id\" == 77", "2" },
    { "args.'External id' in (1, 70..80)", "2" },
    { "args.\"Input Dims\" =~ \"\\[2, 3\\]\"", "2" },
    { "args.\"Input Dims\" == \"[[2, 3], [3, 4]]\"", "2" },
    { "args.ok == true", "2" },
    { "args.ok == false", "" },
    { "args.ok != false", "2" },
    { "has(args.none)", "2" },
    { "args.none == 0", "" },
    { "args.none != 0", "" },
    { "args.huge == 18446744073709551615", "4" },
    { "args.huge > 18446744073709551614", "4" },
    { "args.huge > 18446744073709551615", "" },
    { "args.huge > -1", "4" },
    { "args.mixed == 12", "23" },
    { "args.mixed == 12.5", "4" },
    { "args.mixed == 12.50", "4" },
    { "args.mixed > 12", "4" },
    { "args.mixed >= 1.2e1", "234" },
    { "args.mixed != 12", "47" },
    { "args.mixed == '12'", "23" },
    { "args.mixed == abc", "7" },
    { "args.mixed =~ '1'", "2" },
    { "args.mixed == NaN", "5" },
    { "has(args.mixed)", "23457" },
    { "args.ratio > 0.333333 && args.ratio < 0.333334", "5" },
    { "args.ratio == 0.3333333333333333", "5" },
    { "args.absent == 1", "" },
    { "args.absent != 1", "" },
    { "!(args.absent == 1)", "012345678" },
    { "has(args.absent)", "" },
    { "name == gemm || name == odd && dur > 0", "5" },
    { "(name == gemm || name == odd) && dur < 0", "7" },
    { "!(name == gemm) && activity == kernel", "6" },
    { "! name == gemm && activity == kernel", "6" },
    { "# a comment\nname == gemm # and more\n|| name == odd\n", "57" },
    { "name == '\\x67emm'", "5" },
    { "dur > 1us && (false || !(kind == comm || kind == compute)) && (ts < 1.2ms || rank == 9)",
      "123" },
};

static void check_meaning(void)
{
    struct stream s = build();
    for (size_t k = 0; k < sizeof meaning / sizeof *meaning; k++) {
        struct tr_error err = TR_ERROR_INIT;
        struct tr_input in = { .dict = s.dict, .summary = s.summary, .sorted = true };
        struct tr_expr *e;
        uint8_t mask[N_EVENTS];
        char got[N_EVENTS + 1] = "";
        if (tr_expr_compile(&e, meaning[k].expr, &err) != TR_OK ||
            tr_expr_bind(e, &in, &err) != TR_OK ||
            tr_expr_eval(e, s.batch, mask, &err) != TR_OK) {
            ok(false, "%s: %s: %s", meaning[k].expr, err.place, err.what);
            tr_expr_free(e);
            continue;
        }
        size_t n = 0;
        for (size_t i = 0; i < N_EVENTS; i++)
            if (mask[i])
                got[n++] = (char)('0' + i);
        got[n] = '\0';
        bool same = strcmp(got, meaning[k].selected) == 0;
        ok(same, "%.60s", meaning[k].expr[0] == '#' ? "with comments" : meaning[k].expr);
        if (!same)
            printf("# got %s, expected %s\n", got, meaning[k].selected);
        tr_expr_free(e);
    }
    destroy(&s);
}

/* --- refusals --------------------------------------------------------------------------------- */

static const struct {
    const char *expr, *place, *what; /* what: a part of it */
} refused[] = {
    { "", "column 1", "empty" },
    { "  # nothing\n", "column 1", "empty" },
    { "durr > 5us", "column 1", "no field 'durr' (did you mean 'dur'?): there are name cat" },
    { "durr > 5us", "column 1", " queue_wait args.KEY" },
    { "dur < args.x", "column 7", "dur is a time and args a value without a unit: they do not compare" },
    { "args.x < dur", "column 10", "args is a value without a unit and dur a time: they do not compare" },
    { "rank == name", "column 9", "rank is a number and name a text: they do not compare" },
    { "name < operator", "column 8", "name has no order: use ==, !=, =~, !~ or in" },
    { "args.x < name", "column 10", "name has no order: use == or !=" },
    { "gemm", "column 1", "no field 'gemm' (by name: name =~ \"gemm\"): there are name cat" },
    { "dur > 5us && (aten::mm )", "column 15", "no field 'aten' (by name: name =~ \"aten::mm\"): there" },
    { "!nccl.*", "column 2", "no field 'nccl' (by name: name =~ \"nccl.*\"): there" },
    { "gemm in (a)", "column 1", "no field 'gemm': there" },
    { "inner && dur > 5us", "column 1", "no field 'inner' (by name: name =~ \"inner\"): there" },
    { "has(gemm)", "column 5", "no field 'gemm': there" },
    { "dur > 50", "column 7", "needs a unit: 50us" },
    { "dur > 5MB", "column 7", "is a time" },
    { "dur > x", "column 7", "is a time" },
    { "dur >", "column 6", "is expected here, not the end" },
    { "dur >  # 5us\n\n", "line 1, column 6", "not the end" },
    { "dur 5us", "column 5", "an operator" },
    { "dur = 5us", "column 5", "'==' compares" },
    { "dur > 5us & true", "column 11", "'&&'" },
    { "dur > 5us | true", "column 11", "'||'" },
    { "name ~ x", "column 6", "'=~'" },
    { "name == gemm and true", "column 14", "'&&'" },
    { "dur > 5lightyears", "column 8", "not a unit" },
    { "dur > 5ms2", "column 8", "'ms2' is not a unit" },
    { "name > x", "column 8", "no order" },
    { "name == 5", "column 9", "quotes" },
    { "args.x > abc", "column 10", "only numbers" },
    { "args.x > 5us", "column 10", "unit of this value is not known" },
    { "args.x == 5s", "column 11", "unit of this value is not known" },
    { "args == 1", "column 1", "args needs" },
    { "args. == 1", "column 6", "missing" },
    { "activity == kernels", "column 13", "no activity 'kernels': there are other, cpu_op" },
    { "activity in (kernel, foo)", "column 22", "no activity 'foo'" },
    { "activity == 6", "column 13", "words" },
    { "activity > kernel", "column 12", "no order" },
    { "kind == none", "column 9", "!has(kind)" },
    { "phase == X", "column 10", "no phase 'X'" },
    { "rank == 5us", "column 9", "plain number" },
    { "rank == five", "column 9", "plain number" },
    { "dur =~ x", "column 8", "not a text" },
    { "name =~ '('", "column 9", "not a regular expression" },
    { "name =~ 5", "column 9", "regular expression" },
    { "name =~ 'a\\x00'", "column 9", "zero byte" },
    { "name == 'abc", "column 9", "not closed" },
    { "(dur > 5us", "column 11", "')'" },
    { "dur > 5us)", "column 10", "the end" },
    { "dur in 5us", "column 11", "'..'" },
    { "dur in (5us", "column 12", "',' or ')'" },
    { "dur in ()", "column 9", "a number" },
    { "dur in 7us..5us", "column 13", "ends before it begins" },
    { "name in a..b", "column 9", "list" },
    { "name in (a..b)", "column 10", "from a number to a number" },
    { "dur == 1us..2us", "column 8", "needs 'in'" },
    { "has(dur", "column 8", "')'" },
    { "has dur", "column 5", "'('" },
    { "has(5)", "column 5", "field" },
    { "5us < dur", "column 1", "a field" },
    { "&& true", "column 1", "a field" },
    { "true ||", "column 8", "a field" },
    { "name == gemm\n&& dur > 7", "line 2, column 10", "needs a unit" },
    { "rank == 1234567890123456789012345678901234567890123456789012345678901234567890123456789012",
      "column 9", "too many digits" },
    { "name == \x01", "column 9", "0x01" },
};

static void check_refused(void)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        struct tr_error err = TR_ERROR_INIT;
        struct tr_expr *e;
        enum tr_status st = tr_expr_compile(&e, refused[k].expr, &err);
        bool good = st == TR_USAGE && !e && strcmp(err.place, refused[k].place) == 0 &&
                    strstr(err.what, refused[k].what);
        ok(good, "refused: %zu", k);
        if (!good)
            printf("# %s\n# %s: %s\n", refused[k].expr, err.place, err.what);
        tr_expr_free(e);
    }
}

static void check_limits(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_expr *e;
    struct tr_buf b = { 0 };
    for (int n = 0; n < 2; n++) {
        b.len = 0;
        size_t deep = TR_EXPR_MAX_DEPTH + (size_t)n;
        for (size_t i = 0; i < deep; i++)
            tr_buf_add_str(&b, "!(");
        tr_buf_add_str(&b, "true");
        for (size_t i = 0; i < deep; i++)
            tr_buf_add_str(&b, ")");
        tr_buf_add(&b, "", 1);
        enum tr_status st = tr_expr_compile(&e, (char *)b.data, &err);
        ok(st == (n ? TR_USAGE : TR_OK), "%zu parentheses", deep);
        tr_expr_free(e);
    }
    b.len = 0;
    for (int i = 0; i < 5000; i++)
        tr_buf_add_str(&b, "name == a || !!dur > 1us && ");
    tr_buf_add_str(&b, "true");
    tr_buf_add(&b, "", 1);
    ok(tr_expr_compile(&e, (char *)b.data, &err) == TR_OK, "a long chain");
    tr_expr_free(e);
    for (size_t len = TR_EXPR_MAX_LEN; len <= TR_EXPR_MAX_LEN + 1; len++) {
        b.len = 0;
        tr_buf_add_str(&b, "true");
        while (b.len < len)
            tr_buf_add(&b, " ", 1);
        tr_buf_add(&b, "", 1);
        enum tr_status st = tr_expr_compile(&e, (char *)b.data, &err);
        ok(st == (len > TR_EXPR_MAX_LEN ? TR_USAGE : TR_OK), "%zu bytes of text", len);
        tr_expr_free(e);
    }
    ok(!strcmp(err.what, "the expression is longer than 1048576 bytes"), "refused: %s", err.what);
    tr_buf_free(&b);
}

static void check_caret(void)
{
    static const struct {
        const char *expr, *shown;
    } cases[] = {
        { "dur > 50", "  dur > 50\n        ^\n" },
        { "name == '\xc3\xa4' && dur > 50",
          "  name == '\xc3\xa4' && dur > 50\n                       ^\n" },
        { "true &&\n\tdur > 50", "   dur > 50\n         ^\n" },
        { "dur >", "  dur >\n       ^\n" },
        { "true &&\ndur >\n", "  dur >\n       ^\n" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct tr_error err = TR_ERROR_INIT;
        struct tr_expr *e;
        struct tr_buf b = { 0 };
        tr_expr_compile(&e, cases[k].expr, &err);
        tr_expr_caret(cases[k].expr, &err, &b);
        tr_buf_add(&b, "", 1);
        bool good = strcmp((char *)b.data, cases[k].shown) == 0;
        ok(good, "caret %zu", k);
        if (!good)
            printf("# %s", (char *)b.data);
        tr_buf_free(&b);
    }
    struct tr_error err = TR_ERROR_INIT;
    struct tr_expr *e;
    struct tr_buf b = { 0 };
    char text[1000];
    memset(text, 'a', sizeof text);
    memcpy(text + 500, " == 1 ", 6);
    text[sizeof text - 1] = '\0';
    tr_expr_compile(&e, text, &err);
    tr_expr_caret(text, &err, &b);
    ok(b.len > 0 && b.len < 220, "a long line is cut");
    for (int shift = 0; shift < 2; shift++) {
        char *to = text + sprintf(text, "name == '%s", shift ? "" : "x");
        for (int i = 0; i < 100; i++)
            to += sprintf(to, "\xc3\xa4");
        strcpy(to, "' && dur > 50");
        b.len = 0;
        err = (struct tr_error)TR_ERROR_INIT;
        tr_expr_compile(&e, text, &err);
        tr_expr_caret(text, &err, &b);
        ok(b.len > 4 && !memcmp(b.data, "  \xc3\xa4", 4), "it is cut between two characters");
    }
    tr_buf_free(&b);
}

static void check_needs(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_expr *e;
    tr_expr_compile(&e, "dur > 1us && args.x == 1 && args.y == 2 && has(args.x) && step == 1",
                    &err);
    const struct tr_expr_needs *n = tr_expr_needs(e);
    ok(n->want.n_keys == 2 && !strcmp(n->want.keys[0], "x") && !strcmp(n->want.keys[1], "y"),
       "keys, once each");
    ok((n->want.fixed & TR_FIXED_BIT(DUR)) && (n->want.fixed & TR_FIXED_BIT(SHAPE)) &&
           !(n->want.fixed & TR_FIXED_BIT(NAME)),
       "fixed columns");
    ok(n->want.derived == (1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_TRACK) && n->order && n->summary,
       "step needs launch and summary");
    struct tr_dict *d = must(tr_dict_new());
    struct tr_input in = { .dict = d, .sorted = true };
    ok(tr_expr_bind(e, &in, &err) == TR_DAMAGED, "step without a summary");
    struct tr_summary *s = must(tr_summary_new(0));
    in = (struct tr_input){ .dict = d, .summary = s };
    ok(tr_expr_bind(e, &in, &err) == TR_DAMAGED, "step without order");
    in.sorted = true;
    ok(tr_expr_bind(e, &in, &err) == TR_OK, "step with both");
    tr_expr_free(e);
    tr_summary_free(s);
    tr_dict_free(d);
}

/* A column that is shorter than its events say. */
static void check_damage(void)
{
    struct stream s = build();
    struct tr_error err = TR_ERROR_INIT;
    struct tr_expr *e;
    uint8_t mask[N_EVENTS];
    uint32_t c;
    tr_expr_compile(&e, "args.bytes > 0", &err);
    struct tr_input in = { .dict = s.dict, .summary = s.summary, .sorted = true };
    tr_expr_bind(e, &in, &err);
    ok(tr_dict_find_columns(s.dict, TR_PLACE_ARGS, "bytes", &c, 1) == 1, "one column of bytes");
    s.batch->cols[c].n = 0;
    ok(tr_expr_eval(e, s.batch, mask, &err) == TR_DAMAGED, "short column");
    tr_expr_free(e);
    destroy(&s);
}

int main(void)
{
    check_meaning();
    check_refused();
    check_limits();
    check_caret();
    check_needs();
    check_damage();
    return tap_end();
}
