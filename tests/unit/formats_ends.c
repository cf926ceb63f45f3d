/* SPDX-License-Identifier: MIT */
/*
 * Traces of every format whose bytes come otherwise than in one piece: a few at a time, which changes nothing; up to a
 * read that fails, which is said, wherever it is; up to damage, which gives what a file that ends there gives, and is
 * counted; and up to damage with --strict, which is refused.
 */
#include "io_tap.h"

#include "formats/common/tr_format.h"
#include "formats/tr_open.h"

#include <dirent.h>

static const char kineto[] =
    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0}], \"distributedInfo\": {\"rank\": 2},\n\"traceEvents\": "
    "[\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 5.5},\n"
    "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"launch\", \"pid\": 1, \"tid\": 1, \"ts\": 11, \"dur\": 1,\n"
    " \"args\": {\"correlation\": 7}},\n"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm \\u00E9\", \"pid\": 0, \"tid\": 7, \"ts\": 14, \"dur\": 3,\n"
    " \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": 7, \"grid\": [1, 2, 3]}},\n"
    "{\"ph\": \"i\", \"name\": \"now\", \"pid\": 1, \"tid\": 1, \"ts\": 20, \"s\": \"t\"}, 5,\n"
    "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 1, \"args\": {\"name\": \"main\"}}\n"
    "], \"traceName\": \"t.json\"}\n";
static const char timeline[] = "[[-1, 0, 1024, 0], [5, 0, 512, 1], [6, 1, -512, 1],\n [7, \"x\"], [9, 0, 64, 3]]\n";
static const char rocprof[] =
    "{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 9, \"init_time\": 1, \"fini_time\": 99},\n"
    "\"agents\": [{\"id\": {\"handle\": 4}, \"type\": 2, \"logical_node_type_id\": 0}],\n"
    "\"kernel_symbols\": [{\"kernel_id\": 7, \"formatted_kernel_name\": \"gemm\"}],\n"
    "\"buffer_records\": {\"kernel_dispatch\": [{\"thread_id\": 9, \"correlation_id\": {\"internal\": 1}, "
    "\"start_timestamp\": 5,\n"
    "\"end_timestamp\": 9, \"dispatch_info\": {\"agent_id\": {\"handle\": 4}, \"queue_id\": {\"handle\": 2}, "
    "\"kernel_id\": 7,\n"
    "\"dispatch_id\": 1}}], \"hip_api\": []}}]}\n";

static const struct {
    const char *format, *text, *folder; /* a text, or files of tests/fuzz/corpus */
} sets[] = {
    { "json", kineto, NULL },
    { "memory-timeline", timeline, NULL },
    { "rocprof-json", rocprof, NULL },
    { "perfetto", NULL, "perfetto" },
    { "xplane", NULL, "xplane" },
    { "unitrace-text", NULL, "unitrace_text" },
    { "unitrace-kmd", NULL, "unitrace_kmd" },
    { "unitrace-csv", NULL, "unitrace_metrics" },
    { "rocprof-csv", NULL, "rocprof_csv" },
    { "nccl-inspector", NULL, "nccl_inspector" },
    { "nccl-profiler", NULL, "nccl_profiler" },
    { "pytorch-et", NULL, "pytorch_et" },
    { "chakra-json", NULL, "chakra_json" },
    { "chakra", NULL, "chakra" },
    { "flight-recorder", NULL, "flight_recorder" },
    { "memory-snapshot", NULL, "memory_snapshot" },
    { "perf-script", NULL, "perf_script" },
    { "recording", NULL, "recording" },
};

/* Bytes that end after n of them, with this status. */
struct bytes {
    const char *text;
    size_t n, at, piece;
    enum tr_status last;
    bool closed;
};

static enum tr_status read_bytes(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct bytes *b = ctx;
    size_t n = b->n - b->at;
    if (!n)
        return b->last == TR_END ? TR_END : tr_fail(err, b->last, "the disk is gone");
    n = n < cap ? n : cap;
    *got = n < b->piece ? n : b->piece;
    memcpy(buf, b->text + b->at, *got);
    b->at += *got;
    return TR_OK;
}

static enum tr_status rewind_bytes(void *ctx, struct tr_error *err)
{
    struct bytes *b = ctx;
    (void)err;
    b->at = 0;
    return TR_OK;
}

static void close_bytes(void *ctx)
{
    struct bytes *b = ctx;
    b->closed = true;
}

/* What is read: how it ends, events and a digest of them, damage. */
struct result {
    enum tr_status st;
    uint64_t n, digest, damage, last_record;
    char what[700];
};

static void add(struct result *r, uint64_t x)
{
    r->digest = (r->digest ^ x) * 0x9e3779b97f4a7c15u;
    r->digest ^= r->digest >> 29;
}

static void add_events(struct result *r, const struct tr_batch *b)
{
    for (size_t i = 0; i < b->n; i++, r->n++) {
        add(r, (uint64_t)b->ts[i]);
        add(r, (uint64_t)b->dur[i]);
        add(r, b->record[i]);
        r->last_record = b->record[i] > r->last_record ? b->record[i] : r->last_record;
        add(r, (uint64_t)b->phase[i] << 16 | (uint64_t)b->activity[i] << 8 | b->suspect[i]);
        struct tr_str s = tr_dict_text_if(b->dict, b->name[i]);
        for (size_t k = 0; s.s && k < s.len; k++)
            add(r, (unsigned char)s.s[k]);
    }
    for (uint32_t c = 0; c < b->n_cols; c++)
        for (size_t i = 0; i < b->cols[c].n; i++)
            add(r, tr_type_is_string(b->dict->columns[c].type) ? tr_dict_text_if(b->dict, b->cols[c].v.str[i]).len
                                                               : (uint64_t)b->cols[c].v.i64[i]);
}

static struct result result_of(const struct tr_format *f, struct bytes b, bool strict)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in = NULL;
    const struct tr_batch *batch;
    struct result r = { .n = 0 };
    opts.strict = strict;
    const struct tr_ingest_bytes bytes = {
        .read = read_bytes, .rewind = rewind_bytes, .close = close_bytes, .ctx = &b, .name = "t"
    };
    r.st = f->open(f, &in, &bytes, &opts, &err);
    bool opened = r.st == TR_OK;
    while (r.st == TR_OK && (r.st = tr_input_next(in, &batch, &err)) == TR_OK)
        add_events(&r, batch);
    for (size_t s = 0; opened && s < in->summary->n; s++)
        for (size_t k = 0; k < in->summary->sources[s].n_damage; k++)
            r.damage += in->summary->sources[s].damage[k].count;
    for (size_t k = 0; opened && in->tables && k < in->tables->n; k++)
        for (size_t i = 0; i < in->tables->v[k]->rows.len; i++)
            add(&r, in->tables->v[k]->rows.data[i]);
    if (opened)
        tr_input_close(in);
    if (!b.closed)
        ok(false, "%s: the bytes are closed", f->name);
    snprintf(r.what, sizeof r.what, "%s", err.what);
    return r;
}

static bool equal(const struct result *a, const struct result *b)
{
    return a->st == b->st && a->n == b->n && a->digest == b->digest;
}

static void check(const struct tr_format *f, const char *name, const char *text, size_t n)
{
    struct bytes whole = { .text = text, .n = n, .piece = n, .last = TR_END };
    const struct result all = result_of(f, whole, false);
    unsigned wrong[5] = { 0 };
    ok(all.st == TR_END || all.st == TR_DAMAGED, "%s %s: %llu events", f->name, name, (unsigned long long)all.n);
    for (whole.piece = 1; whole.piece < n; whole.piece = whole.piece * 3 + 1) {
        struct result r = result_of(f, whole, false);
        wrong[0] += !equal(&r, &all);
    }
    for (size_t at = 0; at < n; at += at < 16 || at + 16 > n ? 1 : 1 + n / 150) {
        struct bytes cut = { .text = text, .n = at, .piece = 7, .last = TR_SYSTEM };
        struct result fails = result_of(f, cut, false);
        wrong[1] += fails.st != TR_SYSTEM || strcmp(fails.what, "the disk is gone") != 0;
        cut.last = TR_END;
        struct result ends = result_of(f, cut, false);
        cut.last = TR_DAMAGED;
        struct result damaged = result_of(f, cut, false), strict = result_of(f, cut, true);
        bool refused = damaged.st == TR_DAMAGED && ends.n == 0; /* a file without events can be whole */
        wrong[2] += !equal(&damaged, &ends) && !refused;
        wrong[3] += damaged.st == TR_END && !damaged.damage;
        wrong[4] += strict.st != TR_DAMAGED;
        if (wrong[1] + wrong[2] + wrong[3] + wrong[4] == 1)
            printf("# at %zu: %d %s; %d, %llu; %d, %llu, %llu; %d\n", at, fails.st, fails.what, ends.st,
                   (unsigned long long)ends.n, damaged.st, (unsigned long long)damaged.n,
                   (unsigned long long)damaged.damage, strict.st);
    }
    ok(all.last_record < n, "%s %s: records are numbered, up to %llu", f->name, name,
       (unsigned long long)all.last_record);
    ok(!wrong[0], "%s %s: the same in small pieces", f->name, name);
    ok(!wrong[1], "%s %s: a read that fails is said (not %u)", f->name, name, wrong[1]);
    ok(!wrong[2], "%s %s: up to damage, what a shorter file gives (not %u)", f->name, name, wrong[2]);
    ok(!wrong[3] && !wrong[4], "%s %s: damage is counted, and refused by --strict (not %u, %u)", f->name, name,
       wrong[3], wrong[4]);
}

static void check_folder(const struct tr_format *f, const char *folder)
{
    const char *src = getenv("srcdir");
    char path[600];
    static char text[1 << 16];
    snprintf(path, sizeof path, "%s/fuzz/corpus/%s", src ? src : ".", folder);
    DIR *dir = opendir(path);
    unsigned n_files = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/fuzz/corpus/%s/%s", src ? src : ".", folder, e->d_name);
        FILE *file = fopen(path, "rb");
        size_t n = file ? fread(text, 1, sizeof text, file) : 0;
        if (file)
            fclose(file);
        check(f, e->d_name, text, n);
        n_files += n > 0;
    }
    if (dir)
        closedir(dir);
    ok(n_files > 0, "%s has %u files", path, n_files);
}

int main(void)
{
    size_t n;
    const struct tr_format *const *formats = tr_formats(&n);
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(formats[i]->name, sets[s].format) == 0) {
                if (sets[s].text)
                    check(formats[i], "text", sets[s].text, strlen(sets[s].text));
                else
                    check_folder(formats[i], sets[s].folder);
            }
    return done_testing();
}
