/* SPDX-License-Identifier: MIT */
/* tr_format.h: starts of every format, shown to every reader: one knows each best, and it is the right one. */
#include "io_tap.h"

#include "formats/common/tr_format.h"
#include "formats/tr_open.h"

static const struct {
    const char *format; /* NULL: none knows it */
    const char *prefix;
    size_t len; /* 0: of the text */
} samples[] = {
    { "stream", "\xd4TR\n\0\r\n\x1a", 8 },
    { "json", "{\"traceEvents\": [", 0 },
    { "json", "\xef\xbb\xbf { \"schemaVersion\": 1, \"deviceProperties\": [", 0 },
    { "json", "{\n  \"displayTimeUnit\": \"ms\",", 0 },
    { "json", "[{\"ph\": \"X\"", 0 },
    { "json", "[ \n {", 0 },
    { "json", "[", 0 },
    { "json", "[]", 0 },
    { "json", "{\"a\": [[1, 0, 5, 2]]", 0 },
    { "json", "{\"unknown\": \"rocprofiler-sdk-tool\"}", 0 },
    { "json", "  \n", 0 },
    { "memory-timeline", "[[-1, 0, 1024, 0],", 0 },
    { "memory-timeline", "\xef\xbb\xbf\n [ [", 0 },
    { "rocprof-json", "{\"rocprofiler-sdk-tool\":[{\"metadata\":", 0 },
    { "rocprof-json", "{\n    \"rocprofiler-sdk-tool\": {", 0 },
    { "nsys", "SQLite format 3\0\x10\0 CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL", 58 },
    { "nsys", "SQLite format 3\0\x10\0\x01\x01", 20 }, /* whose tables stand later */
    { "rocpd", "SQLite format 3\0\x10\0 CREATE TABLE rocpd_info_agent_0", 49 },
    { "rpd", "SQLite format 3\0\x10\0 CREATE TABLE \"rocpd_api_ops\"", 47 },
    { "ascend-db", "SQLite format 3\0\x10\0 CREATE TABLE COMPUTE_TASK_INFO", 49 },
    { NULL, "SQLite format 3\0\x10\0 CREATE TABLE StringTable", 43 },
    { "perfetto", "\x0a\x12\xe2\x03\x0d\x08\x0b\x1a\x09\x08\x92\x21\x32\x04" "demoP\x01\x0a", 21 },
    { "perfetto", "\x0a\xff\x01\x40\x01", 5 }, /* the start of a packet */
    { "xplane", "\x0a\x20\x08\x14\x12\x09/host:CPU", 15 },
    { "xplane", "\x0a\xff\x01\x12\x0d/device:TPU:0", 18 }, /* without an id */
    { "unitrace-text", "\n=== Device Timing Summary ===\n\n", 0 },
    { "unitrace-kmd", "1234,sys_ioctl,1000,20\n", 0 },
    { "unitrace-csv", "=== Device Timing Summary ===\n\nKernel, Calls\n\n== Kernel Metrics ==\nKernel,Device,GpuTime[ns],\n", 0 },
    { "unitrace-csv", "\n=== Device #0 Metrics ===\n\nKernel, GlobalInstanceId, GpuTime[ns]\n", 0 },
    { "unitrace-csv", "\xef\xbb\xbfKernel,READ[bytes],", 0 },
    { "flight-recorder", "{\"comm_lib_version\":\"2.28\",\"entries\":[{\"collective_seq_id\":1", 0 },
    { "flight-recorder", "\x80\x02}q\x01(X\x09pg_config", 0 },
    { "memory-snapshot", "{\"segments\": [{\"device\": 0, \"total_size\": 2097152", 0 },
    { "memory-snapshot", "\x80\x04\x95}\x94(\x8c\x08segments", 0 },
    { "perf-script", "# a comment\npython  4321/4330 [003] 12345.678901:     250000 cycles:P: \n", 0 },
    { "perf-script", "cpus=2\n  <idle>-0     [001] d..2.    12.678901: sys_exit: NR 1 = 5\n", 0 },
    { "nccl-inspector", "{\"header\":{\"id\":\"0x1\"},\"coll_perf\":{\"coll\":", 0 },
    { "nccl-profiler", "[\n{\"name\": \"Group\", \"cat\": \"GROUP\", \"ph\": \"b\", \"id\": 0", 0 },
    { "recording", "\211trcrec1p\0\0\0" "8\0\0\0", 16 },
    { "pytorch-et", "{\n  \"schema\": \"1.1.0-chakra.0.0.4\", \"pid\": 7, \"time\"", 0 },
    { "pytorch-et", "{\"schema\": \"1.0.1\", \"pid\": 7, \"nodes\": [", 0 },
    { "json", "{\"schema\": \"1.0.1\", \"nodes\": 1, \"traceEvents\": [", 0 },
    { "chakra-json", "{\"ngpus\": 2, \"workload_graph\": [{\"Id\": 1", 0 },
    { "chakra", "\x1c\x0a\x05" "0.0.4\x12\x13\x0a\x06schema\xea\x01\x08" "1.0.2-ch", 29 },
    { "chakra", "\x5e\x12\x10\x0a\x06schema\xea\x01\x05" "1.0.1\x12\x09\x0a", 21 }, /* the rest is not there */
    { NULL, "\x02\x12\x00", 3 }, /* an attribute has a name */
    { "rocprof-csv", "Index,KernelName,gpu-id,queue-id,BeginNs,EndNs\n", 0 },
    { "rocprof-csv", "\"Kind\",\"Direction\",\"Start_Timestamp\",\"End_Timestamp\"\r\n", 0 },
    { NULL, "   Kernel,   Calls,   Time (ns)\n", 0 },
    { "perfetto", "\x0a\x20\x08\x14\x12\x09/root:CPU", 15 }, /* a packet of some kind, which is cut */
    { NULL, "\x0a\x02\x40\x01x", 5 },           /* and what follows is none */
    { NULL, "\x0a\x02\x0a\x00", 4 },
    { NULL, "\nhello, this is a text of many words, as long as its first letter says it has to be, and some more: "
            "@ and P and h", 0 },
    { NULL, "hello", 0 },
    { NULL, "\x7f" "ELF", 0 },
    { NULL, "1,2,3", 0 },
};

static void test_samples(void)
{
    size_t n_formats, n_known = 0;
    const struct tr_format *const *formats = tr_formats(&n_formats);
    bool *has = calloc(n_formats, sizeof *has);
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        const unsigned char *p = (const unsigned char *)samples[k].prefix;
        size_t len = samples[k].len ? samples[k].len : strlen(samples[k].prefix), n_best = 0, best_at = 0;
        int best = 0;
        for (size_t i = 0; i < n_formats; i++) {
            int score = formats[i]->probe(formats[i], p, len);
            ok(score >= 0 && score <= 100, "sample %zu, %s: a score", k, formats[i]->name);
            n_best = score > best ? 1 : n_best + (score == best && best > 0);
            best_at = score > best ? i : best_at;
            best = score > best ? score : best;
            formats[i]->probe(formats[i], p, 0); /* nothing at all may be asked, too */
        }
        if (samples[k].format) {
            ok(n_best == 1 && !strcmp(formats[best_at]->name, samples[k].format), "sample %zu is %s", k,
                   samples[k].format);
            has[best_at] = true;
        } else {
            ok(best == 0, "sample %zu is unknown", k);
        }
    }
    for (size_t i = 0; i < n_formats; i++)
        n_known += has[i];
    ok(n_known == n_formats, "every format has a sample");
    free(has);
}

/* ---- a format of a caller ---- */

static int probe_lines(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return n >= 6 && !memcmp(p, "lines ", 6) ? 100 : 0;
}

static int probe_streams(const struct tr_format *f, const unsigned char *p, size_t n)
{
    size_t n_formats;
    (void)f;
    return tr_formats(&n_formats)[0]->probe(NULL, p, n);
}

/* One event for every byte. */
static enum tr_status read_lines(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    unsigned char c;
    size_t got;
    uint64_t *n = ctx;
    enum tr_status st = tr_ingest_read(g, &c, 1, &got, err);
    if (st != TR_OK)
        return st;
    tr_ingest_begin(g, TR_SPAN, c * INT64_C(1000), 10);
    tr_ingest_record(g, (*n)++);
    tr_ingest_name(g, (const char *)&c, 1);
    tr_ingest_activity(g, TR_ACT_CPU_OP);
    return tr_ingest_end(g, err);
}

static enum tr_status open_lines(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                 const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "lines", read_lines, free };
    return tr_ingest_open(out, &reader, calloc(1, sizeof(uint64_t)), bytes, opts, err);
}

static void write_file(const char *path, const char *text, size_t len)
{
    FILE *f = fopen(path, "wb");
    ok(f && fwrite(text, 1, len, f) == len && fclose(f) == 0, "%s is written", path);
}

static void test_of_caller(void)
{
    static const struct tr_format lines = { .name = "lines", .brief = "a test", .probe = probe_lines, .open = open_lines };
    static const struct tr_format twin = { .name = "twin", .brief = "a test", .probe = probe_streams };
    const struct tr_format *const formats[] = { &lines, &twin };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    const struct tr_batch *b;
    opts.formats = formats;
    opts.n_formats = 2;
    write_file("formats.lines", "lines ba", 8);
    bool opened = tr_open(&in, "formats.lines", &opts, &err) == TR_OK;
    ok(opened, "a format of the caller is opened");
    if (opened) {
        opened = tr_input_next(in, &b, &err) == TR_OK && b->n == 8;
        ok(opened && b->ts[0] == 32000 && b->ts[1] == 97000 && b->record[1] == 7, "its events come in order of time");
        tr_input_close(in);
    }
    write_file("formats.twin", samples[0].prefix, 8);
    ok(tr_open(&in, "formats.twin", &opts, &err) == TR_DAMAGED && strstr(err.what, "stream or twin"),
           "equal scores: an error that names both");
    remove("formats.lines");
    remove("formats.twin");
}

/* ---- numbers, by the lexer and by the shortcut of the Chrome reader ---- */

static const char *const numbers[] = {
    "0", "-0", "1", "-1", "10", "01", "00", "+1", "-", "1.5", "-1.5", ".5", "-.5", "1.", "1.0", "1.50", "-1.-22", "-0.0",
    "0.1", "0.001", "0.0005", "0.0004", "0.00049999", "-0.0005", "1.0005", "2.9995", "1000000.123", "1000000.123400",
    "1694039994168076.5", "1694039994168076.500000", "1694039994168076.5004", "1694039994168076.5005",
    "123456789012345678", "1234567890123456789", "999999999999999999", "9999999999999999999",
    "9223372036854775807", "9223372036854775808", "-9223372036854775807", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "123456789012345678901",
    "9223372036854775.806", "9223372036854775.807", "9223372036854775.808", "-9223372036854775.808",
    "14411518807585587.1", "14411518807585587.2", "0.0000000000000000000000000000000000000001",
    "1.000000000000000000000000000001", "0.10000000000000000000000000000000000000000000000", "123456789.123456789012",
    "1e3", "1E3", "1.5e+3", "1e-3", "25e-4", "1e0", "1e400", "1e-400", "1e999999999999", "1e", "0x10",
};
#define N_NUMBERS (sizeof numbers / sizeof *numbers)

/* Each number as time, duration, pid, tid, arg and text, several times in a row: the shortcut takes what it has seen before. */
static bool write_numbers(struct tr_buf *out)
{
    bool good = tr_buf_add_str(out, "{\"traceEvents\":[");
    for (size_t i = 0; i < 4 * N_NUMBERS; i++) {
        char event[512];
        const char *n = numbers[i / 4];
        snprintf(event, sizeof event,
                 "%s\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%s,\"tid\":%s,\"ts\":%s,\"dur\":%s,"
                 "\"args\":{\"n\":%s,\"q\":\"%s\",\"device\":%s,\"after\":%zu}}",
                 i ? "," : "", n, i % 4 == 3 ? n : "1", i % 4 == 2 ? n : "2", i % 2 ? "5" : n, i % 2 ? n : "7", n, n, n, i);
        good = good && tr_buf_add_str(out, event);
    }
    return good && tr_buf_add_str(out, "\n]}\n");
}

/* All that the events of the file say, as text. */
static bool read_numbers(const char *path, bool shortcut, struct tr_buf *out)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st;
    bool good = true;
    opts.tuning.tokenize_all = !shortcut;
    if (tr_open(&in, path, &opts, &err) != TR_OK)
        return false;
    while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
        char text[160];
        for (size_t i = 0; i < b->n; i++) {
            const struct tr_track *track = &b->dict->tracks[b->track[i]];
            snprintf(text, sizeof text, "%lld %lld %llu %u %lld %lld\n", (long long)b->ts[i], (long long)b->dur[i],
                     (unsigned long long)b->record[i], b->suspect[i], (long long)track->pid, (long long)track->tid);
            good = good && tr_buf_add_str(out, text) && tr_buf_add_str(out, tr_dict_str(b->dict, b->name[i]));
        }
        for (uint32_t c = 0; c < b->n_cols; c++)
            for (size_t k = 0; k < b->cols[c].n; k++) {
                bool string = tr_type_is_string(b->dict->columns[c].type);
                snprintf(text, sizeof text, "\n%u %u: %lld ", c, b->dict->columns[c].type,
                         string ? 0 : (long long)b->cols[c].v.i64[k]);
                good = good && tr_buf_add_str(out, text) &&
                       (!string || tr_buf_add_str(out, tr_dict_str(b->dict, b->cols[c].v.str[k])));
            }
    }
    tr_input_close(in);
    return good && st == TR_END;
}

static void test_numbers(void)
{
    struct tr_buf text = { 0 }, lexed = { 0 }, taken = { 0 };
    ok(write_numbers(&text), "a trace of numbers");
    write_file("formats.numbers", (const char *)text.data, text.len);
    bool read = read_numbers("formats.numbers", false, &lexed) && read_numbers("formats.numbers", true, &taken);
    ok(read && lexed.len > 4 * N_NUMBERS * 20, "numbers are read both ways");
    ok(lexed.len == taken.len && !memcmp(lexed.data, taken.data, lexed.len),
       "the shortcut reads every number as the lexer does");
    unlink("formats.numbers");
    tr_buf_free(&text);
    tr_buf_free(&lexed);
    tr_buf_free(&taken);
}

int main(void)
{
    test_samples();
    test_of_caller();
    test_numbers();
    return done_testing();
}
