/* SPDX-License-Identifier: MIT */
/* The public interface: streams, how they are compressed, where they come from, where they go. */
#include "api_made.h"

#include <fcntl.h>
#include <sys/stat.h>

static void write_all(struct tr_output *o, struct tr_trace *t, struct tr_error *err)
{
    const struct tr_batch *b;
    while (tr_trace_next(t, &b, err) == TR_OK)
        CHECK(tr_output_batch(o, b, err) == TR_OK);
}

/* What the file holds at all: is the text among it? */
static bool file_has(const char *path, const char *text)
{
    static char bytes[1 << 16];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0, len = strlen(text);
    bool found = false;
    for (size_t i = 0; i + len <= n; i++)
        found = found || memcmp(bytes + i, text, len) == 0;
    if (f)
        fclose(f);
    return found;
}

static void test_codecs(void)
{
    static const struct {
        const char *compress;
        bool taken;
    } cases[] = { { "none", true }, { "lz4", true }, { "lz4:1", true }, { "lz4:12", true }, { "zlib", true },
                  { "zlib:9", true }, { "none:1", false }, { "lz4:0", false }, { "lz4:13", false },
                  { "zlib:10", false }, { "zlib:", false }, { "lz", false }, { "lz44", false }, { "", false } };
    struct tr_error *err = tr_error_new();
    struct made m;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_output_options options = TR_OUTPUT_OPTIONS_INIT;
        struct tr_trace *t = make(&m, NULL);
        struct tr_output *o;
        options.compress = cases[i].compress;
        CHECK(tr_output_open(&o, "api_o.trs", t, &options, err) == (cases[i].taken ? TR_OK : TR_USAGE));
        CHECK(cases[i].taken == !!o);
        if (o)
            write_all(o, t, err);
        CHECK(tr_output_finish(o, err) == TR_OK && (access("api_o.trs", F_OK) == 0) == cases[i].taken);
        tr_trace_close(t);
        if (cases[i].taken) {
            t = open_one("api_o.trs", NULL);
            CHECK_STR(chosen(t), "3 4 5 6 7 8");
            tr_trace_close(t);
            CHECK(remove("api_o.trs") == 0);
        }
    }
    tr_error_free(err);
}

#define MANY 9000

/* Events whose arguments are alike, so that they get smaller. */
static enum tr_status read_many(void *state, struct tr_ingest *g, struct tr_error *err)
{
    int *at = state;
    if (*at == MANY)
        return TR_END;
    tr_ingest_begin(g, TR_SPAN, 7 * *at, 5);
    tr_ingest_on_thread(g, 1, 1);
    tr_ingest_arg_int(g, "n", *at * 1000003ll % 100000);
    ++*at;
    return tr_ingest_end(g, err);
}

/* The size of the stream; *sum of its bytes. */
static int64_t written(const char *compress, unsigned threads, uint64_t *sum)
{
    struct tr_error *err = tr_error_new();
    struct tr_output_options options = TR_OUTPUT_OPTIONS_INIT;
    int at = 0, c;
    const struct tr_format_def format = { .size = sizeof format, .name = "many", .read = read_many, .ctx = &at };
    struct tr_trace *t;
    struct tr_output *o;
    int64_t n = 0;
    options.compress = compress;
    options.threads = threads;
    CHECK(tr_trace_make(&t, "many", &format, NULL, err) == TR_OK);
    CHECK(tr_output_open(&o, "api_c.trs", t, &options, err) == TR_OK);
    write_all(o, t, err);
    CHECK(tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);
    FILE *f = fopen("api_c.trs", "rb");
    for (*sum = 0; f && (c = fgetc(f)) != EOF; n++)
        *sum = *sum * 31 + (unsigned char)c;
    CHECK(f && fclose(f) == 0 && remove("api_c.trs") == 0);
    tr_error_free(err);
    return n;
}

/* Codec and level change the size; threads change nothing. */
static void test_sizes(void)
{
    uint64_t sums[8];
    int64_t none = written(NULL, 0, &sums[0]), lz4 = written("lz4", 1, &sums[1]);
    int64_t fast = written("zlib:1", 1, &sums[2]), best = written("zlib:9", 1, &sums[3]);
    CHECK(written("none", 1, &sums[4]) == none && sums[4] == sums[0]);
    CHECK(lz4 < none && best < fast && fast != lz4 && fast < none);
    CHECK(written("zlib:9", 3, &sums[5]) == best && sums[5] == sums[3]);
    /* without a level it is that of the library, for zlib its sixth */
    CHECK(written("zlib", 1, &sums[6]) == written("zlib:6", 1, &sums[7]) && sums[6] == sums[7] && sums[6] != sums[2]);
    CHECK(written("lz4", 3, &sums[6]) == lz4 && sums[6] == sums[1]);
}

static void test_provenance(void)
{
    struct tr_output_options options = TR_OUTPUT_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct made m;
    struct tr_output *o;
    for (int step = 0; step < 3; step++) {
        struct tr_trace *t = make(&m, NULL);
        options.program = step ? "painter" : NULL;
        options.version = step == 2 ? "7.6.5" : NULL;
        options.command = step == 2 ? "painter --red" : NULL;
        CHECK(tr_output_open(&o, "api_o.trs", t, &options, err) == TR_OK);
        write_all(o, t, err);
        CHECK(tr_output_finish(o, err) == TR_OK);
        CHECK(file_has("api_o.trs", "painter") == (step > 0) && file_has("api_o.trs", "7.6.5") == (step == 2));
        CHECK(file_has("api_o.trs", "painter --red") == (step == 2) && file_has("api_o.trs", "odd_thing"));
        tr_trace_close(t);
    }
    /* a run is added to those before it */
    struct tr_trace *t = open_one("api_o.trs", NULL);
    options.command = "painter --blue";
    CHECK(tr_output_open(&o, "api_p.trs", t, &options, err) == TR_OK);
    write_all(o, t, err);
    CHECK(tr_output_finish(o, err) == TR_OK);
    CHECK(file_has("api_p.trs", "painter --red") && file_has("api_p.trs", "painter --blue"));
    tr_trace_close(t);
    options.size = 0;
    t = make(&m, NULL);
    CHECK(tr_output_open(&o, "api_p.trs", t, &options, err) == TR_USAGE && !o && file_has("api_p.trs", "painter"));
    tr_trace_close(t);
    remove("api_o.trs");
    remove("api_p.trs");
    tr_error_free(err);
}

static enum tr_status no_room(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    size_t *room = ctx;
    (void)bytes;
    if (*room < n)
        return tr_fail(err, TR_SYSTEM, "no room");
    *room -= n;
    return TR_OK;
}

static void test_places(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    struct tr_output *o;
    struct made m;
    struct stat is;
    char text[1400], temp[64];
    unsigned char start[16];
    int next = dup(0), now;
    close(next);
    /* into a FIFO directly */
    CHECK(mkfifo("api_fifo", 0600) == 0);
    int fd = open("api_fifo", O_RDWR);
    t = make(&m, NULL);
    CHECK(tr_output_open(&o, "api_fifo", t, NULL, err) == TR_OK);
    write_all(o, t, err);
    CHECK(tr_output_finish(o, err) == TR_OK && stat("api_fifo", &is) == 0 && S_ISFIFO(is.st_mode));
    CHECK(read(fd, start, sizeof start) == sizeof start);
    close(fd);
    tr_trace_close(t);
    remove("api_fifo");

    t = make(&m, NULL);
    CHECK(tr_output_open(&o, "/no/such/api.trs", t, NULL, err) == TR_SYSTEM && !o);
    CHECK_STR(tr_error_text(err, text, sizeof text), "cannot write '/no/such/api.trs': No such file or directory");
    tr_error_clear(err);
    CHECK(tr_output_open(&o, ".", t, NULL, err) == TR_SYSTEM && !o);
    CHECK_STR(tr_error_text(err, text, sizeof text), "cannot write '.': Is a directory");
    tr_error_clear(err);

    /* a name that is taken stays as it is; another is found */
    snprintf(temp, sizeof temp, "api_t.trs.%ld-0.tmp", (long)getpid());
    put_file(temp, "taken");
    CHECK(tr_output_open(&o, "api_t.trs", t, NULL, err) == TR_OK);
    tr_output_abandon(o);
    CHECK(file_has(temp, "taken") && access("api_t.trs", F_OK) != 0);
    CHECK(remove(temp) == 0);
    temp[strlen(temp) - 5] = '1';
    CHECK(access(temp, F_OK) != 0);
    tr_trace_close(t);
    now = dup(0); /* no descriptor is left open */
    close(now);
    CHECK(now == next);

    /* a target that fails: at its start, and at its end */
    size_t room = 8;
    t = make(&m, NULL);
    CHECK(tr_output_open_to(&o, no_room, &room, t, NULL, err) == TR_SYSTEM && !o);
    CHECK_STR(tr_error_text(err, text, sizeof text), "no room");
    tr_error_clear(err);
    tr_trace_close(t);
    room = SIZE_MAX;
    t = make(&m, NULL);
    CHECK(tr_output_open_to(&o, no_room, &room, t, NULL, err) == TR_OK && room < SIZE_MAX);
    write_all(o, t, err);
    room = 3;
    CHECK(tr_output_finish(o, err) == TR_SYSTEM);
    tr_trace_close(t);
    tr_error_free(err);
}

static void test_wanted(void)
{
    static const char *const fields[] = { "name", "args.grid", "launch_ts" };
    struct tr_error *err = tr_error_new();
    struct made m;
    struct tr_output *o;
    const struct tr_batch *b;
    int64_t grid[8];
    struct tr_trace *t = make(&m, NULL);
    CHECK(tr_trace_want(t, fields, 0, err) == TR_OK && tr_output_open(&o, "api_w.trs", t, NULL, err) == TR_OK);
    write_all(o, t, err);
    CHECK(tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);

    t = open_one("api_w.trs", NULL);
    CHECK(tr_trace_want(t, fields, 3, err) == TR_OK);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_batch_count(b) == 6);
    CHECK_STR(tr_dict_string(tr_batch_dict(b), tr_batch_name(b)[2], NULL), "first");
    CHECK(tr_batch_int(b, "args.grid", grid, err) == TR_OK && grid[2] == 64 && grid[5] == 128);
    CHECK(tr_batch_int(b, "launch_ts", grid, err) == TR_OK && grid[2] == 1100);
    CHECK(tr_trace_want(t, fields, 1, err) == TR_USAGE);
    tr_trace_close(t);

    /* what is chosen is whole */
    t = open_one("api_w.trs", NULL);
    CHECK(tr_trace_want(t, fields, 1, err) == TR_OK && tr_trace_select(t, "where", "dur == 50ns", err) == TR_OK);
    CHECK(tr_output_open(&o, "api_w2.trs", t, NULL, err) == TR_OK);
    write_all(o, t, err);
    CHECK(tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);
    t = open_one("api_w2.trs", NULL);
    CHECK_STR(chosen(t), "4 5");
    tr_trace_close(t);
    remove("api_w.trs");
    remove("api_w2.trs");
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "compression of streams", test_codecs },
    { "compression, and the size of streams", test_sizes },
    { "provenance", test_provenance },
    { "where streams go, and what fails there", test_places },
    { "fields that are wanted", test_wanted },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
