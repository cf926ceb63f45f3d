/* SPDX-License-Identifier: MIT */
/* The public interface: options of inputs, formats of a caller, fields of every type. */
#include "api_made.h"

#include <math.h>

/* ---- many events ---- */

#define MANY 20000

/* One span around many others: more than a batch holds, and each at its depth. */
static enum tr_status read_many(void *state, struct tr_ingest *g, struct tr_error *err)
{
    int *at = state;
    if (*at > MANY)
        return TR_END;
    if (*at == 0)
        tr_ingest_begin(g, TR_SPAN, 0, 10 * MANY + 10);
    else
        tr_ingest_begin(g, TR_SPAN, 10 * *at, 5);
    tr_ingest_record(g, (uint64_t)*at);
    tr_ingest_on_thread(g, 1, 1);
    tr_ingest_name(g, *at ? "inner" : "outer", 5);
    tr_ingest_arg_int(g, "n", *at);
    ++*at;
    return tr_ingest_end(g, err);
}

static enum tr_status make_many(struct tr_trace **t, int *at, const struct tr_trace_options *options,
                                struct tr_error *err)
{
    const struct tr_format_def format = { .size = sizeof format, .name = "many", .read = read_many, .ctx = at };
    *at = 0;
    return tr_trace_make(t, "many", &format, options, err);
}

static void test_batches(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    const struct tr_batch *b;
    int at, batches = 0;
    uint64_t n = 0, sum = 0;
    enum tr_status st;
    CHECK(make_many(&t, &at, NULL, err) == TR_OK);
    CHECK(tr_trace_select(t, "where", "depth == 1", err) == TR_OK);
    for (; (st = tr_trace_next(t, &b, err)) == TR_OK; batches++)
        for (size_t i = 0; i < tr_batch_count(b); i++, n++)
            sum += tr_batch_record(b)[i];
    CHECK(st == TR_END && batches > 1 && n == MANY && sum == (uint64_t)MANY * (MANY + 1) / 2);
    CHECK(tr_trace_next(t, &b, err) == TR_END);
    tr_trace_close(t);

    /* batches in which nothing is chosen are passed over */
    CHECK(make_many(&t, &at, NULL, err) == TR_OK);
    CHECK(tr_trace_select(t, "where", "args.n >= 19999", err) == TR_OK);
    CHECK_STR(chosen(t), "19999 20000");
    tr_trace_close(t);
    tr_error_free(err);
}

/* What does not fit into memory goes to the folder that was named. */
static void test_memory(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_trace *t;
    const struct tr_batch *b;
    char text[1400];
    int at;
    size_t n = 0;
    options.temp_dir = "/no/such";
    CHECK(make_many(&t, &at, &options, err) == TR_OK); /* it is not needed */
    tr_trace_close(t);
    options.max_memory = 1 << 20;
    CHECK(make_many(&t, &at, &options, err) == TR_SYSTEM && !t);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "/no/such"));
    tr_error_clear(err);
    options.temp_dir = ".";
    CHECK(make_many(&t, &at, &options, err) == TR_OK);
    while (tr_trace_next(t, &b, err) == TR_OK)
        n += tr_batch_count(b);
    CHECK(n == MANY + 1);
    tr_trace_close(t);
    options = (struct tr_trace_options)TR_TRACE_OPTIONS_INIT;
    options.max_memory = UINT64_MAX;
    options.threads = 3;
    CHECK(make_many(&t, &at, &options, err) == TR_OK);
    CHECK(tr_trace_select(t, "time", "15..5", err) == TR_USAGE);
    CHECK(tr_trace_select(t, "time", "0..0.011", err) == TR_OK);
    CHECK_STR(chosen(t), "0 1");
    tr_trace_close(t);
    tr_error_free(err);
}

/* ---- options of inputs ---- */

static void note(void *ctx, const char *input, const char *place, const char *what)
{
    char *text = ctx;
    snprintf(text + strlen(text), 400 - strlen(text), "%s|%s|%s;", input, place, what);
}

static void test_flags(void)
{
    struct made m;
    struct tr_error *err = tr_error_new();
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_trace *t;
    const struct tr_batch *b;
    const struct tr_format_def format = { .size = sizeof format, .name = "made", .read = read_made, .ctx = &m };
    char text[1400], heard[400] = "";
    int64_t grid[8];
    options.flags = TR_TRACE_NO_ARGS;
    t = make(&m, &options);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_batch_count(b) == 6);
    CHECK(tr_batch_int(b, "args.grid", grid, err) == TR_OK && grid[2] == TR_I64_NONE);
    CHECK(tr_batch_int(b, "launch_ts", grid, err) == TR_OK && grid[2] == 1100);
    tr_trace_close(t);

    m = (struct made){ 0, false };
    options.flags = TR_TRACE_STRICT;
    CHECK(tr_trace_make(&t, "made here", &format, &options, err) == TR_DAMAGED && !t);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "made here: byte 12: something odd"));
    tr_error_clear(err);

    /* in the order of the source, what is odd is reported at the end, and once */
    options.flags = TR_TRACE_NO_SORT;
    options.warn = note;
    options.ctx = heard;
    t = make_unread(&m, &options);
    CHECK_STR(heard, "");
    CHECK_STR(chosen(t), "3 4 5 6 7 8");
    CHECK_STR(heard, "made here|byte 12|something odd, kept as it is;");
    CHECK(tr_trace_next(t, &b, err) == TR_END);
    CHECK_STR(heard, "made here|byte 12|something odd, kept as it is;");
    tr_trace_close(t);

    /* a caller that knows the first members only */
    struct tr_trace_options early = TR_TRACE_OPTIONS_INIT;
    early.size = offsetof(struct tr_trace_options, flags);
    early.flags = TR_TRACE_NO_ARGS;
    t = make(&m, &early);
    CHECK(tr_trace_next(t, &b, err) == TR_OK);
    CHECK(tr_batch_int(b, "args.grid", grid, err) == TR_OK && grid[2] == 64);
    tr_trace_close(t);
    early.size = sizeof early.size; /* no member at all */
    t = make(&m, &early);
    tr_trace_close(t);
    early.size = sizeof early.size - 1;
    CHECK(tr_trace_make(&t, "made here", &format, &early, err) == TR_USAGE && !t);
    tr_error_free(err);
}

static const char one_rank[] = "{\"distributedInfo\": {\"rank\": 2}, \"traceEvents\": [\n"
                               "{\"ph\": \"X\", \"name\": \"op\", \"cat\": \"cpu_op\", \"pid\": 7, \"tid\": 8, "
                               "\"ts\": 1, \"dur\": 2}\n]}\n";

/* Two files of one rank, process and time: refused, unless a free rank is given to the later one. */
static void test_ranks(void)
{
    static const char *const paths[] = { "api_x.json", "api_y.json" };
    struct tr_error *err = tr_error_new();
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_source_info x = { .size = sizeof x }, y = x;
    struct tr_trace *t;
    char text[1400];
    put_file(paths[0], one_rank);
    put_file(paths[1], one_rank);
    CHECK(tr_trace_open(&t, paths, 2, NULL, err) == TR_DAMAGED && !t);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "has the same events as"));
    tr_error_clear(err);
    options.flags = TR_TRACE_RENUMBER;
    CHECK(tr_trace_open(&t, paths, 2, &options, err) == TR_OK);
    CHECK(tr_trace_source(t, 0, &x) && tr_trace_source(t, 1, &y) && !tr_trace_source(t, 2, &y));
    CHECK((x.rank == 2) != (y.rank == 2) && x.n_events == 1 && y.n_events == 1 && tr_trace_sorted(t));
    CHECK(tr_trace_select(t, "rank", "2", err) == TR_OK);
    CHECK_STR(chosen(t), "0");
    tr_trace_close(t);
    remove(paths[0]);
    remove(paths[1]);
    tr_error_free(err);
}

/* Sources without times are at no time, so neither is at the same time as the other. */
static void test_timeless(void)
{
    static const char *const paths[] = { "api_x.json", "api_y.json" };
    static const char timeless[] = "{\"distributedInfo\": {\"rank\": 2}, \"traceEvents\": [\n"
                                   "{\"ph\": \"X\", \"name\": \"op\", \"cat\": \"cpu_op\", "
                                   "\"pid\": 7, \"tid\": 8}]}\n";
    struct tr_error *err = tr_error_new();
    struct tr_source_info x = { .size = sizeof x }, y = x;
    struct tr_trace *t;
    put_file(paths[0], timeless);
    put_file(paths[1], timeless);
    CHECK(tr_trace_open(&t, paths, 2, NULL, err) == TR_OK);
    CHECK(tr_trace_source(t, 0, &x) && tr_trace_source(t, 1, &y) && x.rank == 2 && y.rank == 2);
    CHECK(x.first_ns == TR_TIME_NONE && x.last_ns == TR_TIME_NONE);
    tr_trace_close(t);
    remove(paths[0]);
    remove(paths[1]);
    tr_error_free(err);
}

/* What starts like compressed data and is damaged is reported by its kind, and where. */
static void test_damaged(void)
{
    static const struct {
        const char *bytes, *text;
        size_t n;
    } cases[] = {
        { "\x04\x22\x4d\x18\x64\x40\xa7\xff\xff\xff\xff" "aaaaaaaaaaaaaaaa",
          "compressed byte 7: damaged lz4 data (", 27 },
        { "\x1f\x8b\x08\xe0" "aaaaaaaaaaaaaaaaaaaaaaaa", "gzip header with unknown method or flags", 28 },
    };
    const char *path = "api_z";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_error *err = tr_error_new();
        struct tr_trace *t;
        char text[1400];
        int next = dup(0);
        close(next);
        FILE *f = fopen(path, "wb");
        CHECK(f && fwrite(cases[i].bytes, 1, cases[i].n, f) == cases[i].n && fclose(f) == 0);
        CHECK(tr_trace_open(&t, &path, 1, NULL, err) == TR_DAMAGED && !t);
        CHECK(strstr(tr_error_text(err, text, sizeof text), cases[i].text));
        int now = dup(0);
        close(now);
        CHECK(now == next);
        remove(path);
        tr_error_free(err);
    }
}

/* Numbers of few digits beside such of many: 0.12 is below 0.123, also after 0.129. */
static void test_decimals(void)
{
    struct tr_error *err = tr_error_new();
    put_file("api_n.json", "[{\"ph\":\"i\",\"ts\":1,\"args\":{\"v\":0.129}},"
                           "{\"ph\":\"i\",\"ts\":2,\"args\":{\"v\":0.12}},\n"
                           "{\"ph\":\"i\",\"ts\":3,\"args\":{\"v\":0.1231}},"
                           "{\"ph\":\"i\",\"ts\":4,\"args\":{\"v\":0.1}}]");
    struct tr_trace *t = open_one("api_n.json", NULL);
    CHECK(tr_trace_select(t, "where", "args.v > 0.123", err) == TR_OK);
    CHECK_STR(chosen(t), "0 2");
    tr_trace_close(t);
    t = open_one("api_n.json", NULL);
    CHECK(tr_trace_select(t, "where", "args.v < 0.123", err) == TR_OK);
    CHECK_STR(chosen(t), "1 3");
    tr_trace_close(t);
    remove("api_n.json");
    tr_error_free(err);
}

/* ---- formats of the caller ---- */

struct lines {
    int score, opened, closed;
    enum tr_status open_status;
    char seen[64];
};

static int probe_lines(void *ctx, const unsigned char *start, size_t n)
{
    const struct lines *l = ctx;
    return n >= 5 && memcmp(start, "LINES", 5) == 0 ? l->score : 0;
}

static enum tr_status open_lines(void *ctx, void **state, struct tr_error *err)
{
    struct lines *l = ctx;
    l->opened++;
    if (l->open_status != TR_OK)
        return tr_fail(err, l->open_status, "no lines today");
    *state = l->seen;
    return TR_OK;
}

static enum tr_status read_lines(void *state, struct tr_ingest *g, struct tr_error *err)
{
    char *seen = state;
    size_t got, len = strlen(seen);
    enum tr_status st = tr_ingest_read(g, seen + len, 4, &got, err);
    if (st != TR_OK)
        return st;
    seen[len + got] = '\0';
    tr_ingest_begin(g, TR_INSTANT, (int64_t)len, TR_TIME_NONE);
    tr_ingest_name(g, seen + len, got);
    tr_ingest_on_thread(g, 1, TR_I64_NONE);
    return tr_ingest_end(g, err);
}

static void close_lines(void *state)
{
    struct lines *l = (struct lines *)(void *)((char *)state - offsetof(struct lines, seen));
    l->closed++;
}

static void count_progress(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *last = ctx;
    CHECK(done >= last[0] && (total == 0 || done <= total));
    last[0] = done;
    last[1]++;
}

static void test_formats(void)
{
    struct lines l = { .score = 90 };
    struct tr_error *err = tr_error_new();
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_format_def def = { sizeof def, "lines", "bytes by fours", probe_lines, open_lines, read_lines,
                                 close_lines, &l };
    const struct tr_format_def *list[] = { &def };
    struct tr_source_info source = { .size = sizeof source };
    struct tr_trace *t;
    const struct tr_batch *b;
    const char *path = "api.lines";
    char text[1400];
    uint64_t progress[2] = { 0, 0 };
    put_file(path, "LINES of ten");
    options.formats = list;
    options.n_formats = 1;
    options.progress = count_progress;
    options.ctx = progress;
    CHECK(tr_trace_open(&t, &path, 1, NULL, err) == TR_DAMAGED);
    tr_error_clear(err);
    t = open_one(path, &options);
    CHECK(progress[0] == 12 && progress[1] > 0);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_batch_count(b) == 3 && l.opened == 1);
    CHECK_STR(l.seen, "LINES of ten");
    CHECK_STR(tr_dict_string(tr_batch_dict(b), tr_batch_name(b)[2], NULL), " ten");
    CHECK(tr_trace_source(t, 0, &source));
    CHECK_STR(source.format, "lines");
    tr_trace_close(t);
    CHECK(l.closed == 1);

    /* named, without a look */
    def.probe = NULL;
    CHECK(tr_trace_open(&t, &path, 1, &options, err) == TR_DAMAGED && l.opened == 1);
    tr_error_clear(err);
    options.input_format = "lines";
    l.seen[0] = '\0';
    progress[0] = 0;
    t = open_one(path, &options);
    CHECK_STR(l.seen, "LINES of ten");
    tr_trace_close(t);
    CHECK(l.opened == 2 && l.closed == 2);
    options.input_format = "line";
    CHECK(tr_trace_open(&t, &path, 1, &options, err) == TR_USAGE && !t);
    tr_error_clear(err);

    /* what fails to open is not closed, and says which input it was */
    options.input_format = "lines";
    l.open_status = TR_SYSTEM;
    CHECK(tr_trace_open(&t, &path, 1, &options, err) == TR_SYSTEM && !t && l.closed == 2);
    CHECK_STR(tr_error_text(err, text, sizeof text), "api.lines: no lines today");
    tr_error_clear(err);
    CHECK(tr_trace_make(&t, "here", &def, NULL, err) == TR_SYSTEM && !t);
    CHECK_STR(tr_error_text(err, text, sizeof text), "here: no lines today");
    tr_error_clear(err);
    def.read = NULL;
    CHECK(tr_trace_open(&t, &path, 1, &options, err) == TR_USAGE);
    CHECK(tr_trace_make(&t, "", &def, NULL, err) == TR_USAGE);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "a format needs a name and a function read"));
    def.read = read_lines;
    def.name = NULL;
    CHECK(tr_trace_make(&t, "", &def, NULL, err) == TR_USAGE);
    def.size = 0;
    tr_error_clear(err);
    CHECK(tr_trace_make(&t, "", &def, NULL, err) == TR_USAGE && !t);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "the size of struct tr_format_def is not set"));
    remove(path);
    tr_error_free(err);
}

/* ---- fields ---- */

static const char values[] =
    "[{\"ph\":\"i\",\"name\":\"a\",\"cat\":\"user_annotation\",\"pid\":\"python\",\"tid\":3,\"ts\":1,\"args\":"
    "{\"v\":-5,\"w\":\"12\",\"big\":18446744073709551615,\"list\":[1,2]}},\n"
    "{\"ph\":\"i\",\"name\":\"b\",\"pid\":4,\"tid\":\"loop\",\"ts\":2,\"args\":"
    "{\"v\":0.25,\"w\":7,\"list\":\"none\"}},\n"
    "{\"ph\":\"i\",\"name\":\"c\",\"pid\":4,\"tid\":3,\"ts\":3,\"args\":{\"v\":\"text\",\"w\":1e300}}]\n";

static void test_fields(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_track_info track = { .size = sizeof track };
    const struct tr_batch *b;
    int64_t whole[3];
    double real[3];
    uint32_t text[3];
    char message[1400];
    put_file("api_v.json", values);
    struct tr_trace *t = open_one("api_v.json", NULL);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_batch_count(b) == 3);
    const struct tr_dict *d = tr_batch_dict(b);
    CHECK(d == tr_trace_dict(t) && tr_dict_string_count(d) > 6);
    CHECK(!tr_dict_string(d, (uint32_t)tr_dict_string_count(d), NULL));
    CHECK(tr_batch_int(b, "args.v", whole, err) == TR_OK && whole[0] == -5);
    CHECK(whole[1] == TR_I64_NONE && whole[2] == TR_I64_NONE);
    CHECK(tr_batch_real(b, "args.v", real, err) == TR_OK && real[0] == -5 && real[1] == 0.25 && isnan(real[2]));
    CHECK(tr_batch_text(b, "args.v", text, err) == TR_OK && text[0] == TR_NO_STR && text[1] == TR_NO_STR);
    CHECK_STR(tr_dict_string(d, text[2], NULL), "text");
    CHECK(tr_batch_int(b, "args.w", whole, err) == TR_OK && whole[0] == 12 && whole[1] == 7);
    CHECK(whole[2] == TR_I64_NONE);
    CHECK(tr_batch_real(b, "args.w", real, err) == TR_OK && real[0] == 12 && real[1] == 7 && real[2] == 1e300);
    CHECK(tr_batch_real(b, "args.big", real, err) == TR_OK && real[0] == 18446744073709551615.0 && isnan(real[1]));
    CHECK(tr_batch_text(b, "args.list", text, err) == TR_OK && text[2] == TR_NO_STR);
    CHECK_STR(tr_dict_string(d, text[0], NULL), "[1,2]");
    CHECK_STR(tr_dict_string(d, text[1], NULL), "none");
    CHECK_STR(tr_dict_string(d, tr_batch_category(b)[0], NULL), "user_annotation");
    CHECK(tr_batch_phase(b)[0] == TR_INSTANT && tr_batch_dur(b)[0] == TR_TIME_NONE);
    CHECK(tr_batch_real(b, "launch_dur", real, err) == TR_OK && isnan(real[0]));
    CHECK(tr_batch_text(b, "api", text, err) == TR_OK && text[0] == TR_NO_STR);
    tr_error_clear(err);
    CHECK(tr_batch_real(b, "colour", real, err) == TR_USAGE && tr_batch_text(b, "name", text, err) == TR_USAGE);
    CHECK(strstr(tr_error_text(err, message, sizeof message), "is neither a member of args nor a derived field"));
    CHECK(tr_dict_track(d, tr_batch_track(b)[0], &track) && track.pid == TR_I64_NONE && track.tid == 3);
    CHECK(track.rank == 0 && track.source == 0 && track.side == TR_SIDE_HOST);
    CHECK(!track.thread && !track.process && track.device == TR_I64_NONE && track.stream == TR_I64_NONE);
    CHECK(tr_dict_track(d, tr_batch_track(b)[1], &track) && track.pid == 4 && track.tid == TR_I64_NONE);
    CHECK(!tr_dict_track(d, (uint32_t)tr_dict_track_count(d), &track));
    tr_trace_close(t);
    remove("api_v.json");
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "many batches: an expression goes on from one to the next", test_batches },
    { "memory, and the folder for what does not fit", test_memory },
    { "flags, and options of an earlier size", test_flags },
    { "two sources of one rank", test_ranks },
    { "two sources of one rank, at no time", test_timeless },
    { "damaged data that are compressed", test_damaged },
    { "decimals of different lengths", test_decimals },
    { "formats of the caller", test_formats },
    { "fields of every type", test_fields },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
