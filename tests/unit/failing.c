/* SPDX-License-Identifier: MIT */
/*
 * Whatever call fails, memory or a temporary file, the failure is reported: nothing is left out, and nothing crashes.
 *
 * Each case runs once undisturbed, then again and again with the first, second, ... call failing, until all succeed.
 * A run that says it is done has the same result.  Every program is run like this by tests/fault; here are the parts of
 * the library that all of them share, on inputs of some events.  Elsewhere than in glibc, and with sanitizers, which
 * have an allocator of their own, this is skipped.
 */
#include "stream_make.h"

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__

#include "expr/tr_cond.h"
#include "expr/tr_expr.h"
#include "formats/chrome/tr_chrome_write.h"
#include "formats/tr_open.h"
#include "model/selection/tr_redact.h"
#include "table/tr_table.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- calls that fail ---- */

enum calls { MEMORY, READS, WRITES, N_CALLS };
static enum calls failing = N_CALLS;
static long until = -1; /* so many calls succeed */
static bool has_failed;

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static bool fails(enum calls what, int why)
{
    if (what != failing || until-- != 0)
        return false;
    has_failed = true;
    errno = why;
    return true;
}

void *malloc(size_t n)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(p, n);
}

static void *next_definition(const char *name)
{
    return dlsym((void *)-1L, name); /* RTLD_NEXT, which only _GNU_SOURCE names */
}

ssize_t pread64(int fd, void *buf, size_t n, off_t at)
{
    static ssize_t (*real)(int, void *, size_t, off_t);
    void *address = real ? NULL : next_definition("pread64");
    if (address)
        memcpy(&real, &address, sizeof real);
    return fails(READS, EIO) ? -1 : real(fd, buf, n, at);
}

ssize_t pwrite64(int fd, const void *buf, size_t n, off_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off_t);
    void *address = real ? NULL : next_definition("pwrite64");
    if (address)
        memcpy(&real, &address, sizeof real);
    return fails(WRITES, ENOSPC) ? -1 : real(fd, buf, n, at);
}

/* With 32 bits, the headers let the short names mean these functions. */
#if !defined __USE_FILE_OFFSET64
ssize_t pread(int fd, void *buf, size_t n, off_t at)
{
    return pread64(fd, buf, n, at);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at)
{
    return pwrite64(fd, buf, n, at);
}
#endif

/* ---- the input ---- */

static const char head[] =
    "{\"schemaVersion\": 1, \"baseTimeNanoseconds\": 1700000000000000000, \"distributedInfo\": {\"rank\": 2},"
    "\"traceEvents\": [\n"
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"tid\": 0, \"args\": {\"name\": \"python\"}},\n"
    "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 2, \"args\": {\"name\": \"main\"}},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#3\", \"pid\": 1, \"tid\": 2, \"ts\": 1,"
    " \"dur\": 900},\n"
    "{\"ph\": \"B\", \"name\": \"pair\", \"pid\": \"p\", \"tid\": \"t\", \"ts\": 5, \"args\": {\"a\": \"text\"}},\n"
    "{\"ph\": \"E\", \"name\": \"pair\", \"cat\": \"c\", \"pid\": \"p\", \"tid\": \"t\", \"ts\": 7, \"dur\": 1, \"args\":"
    " {\"b\": [1, {}]}},\n"
    "{\"ph\": \"B\", \"name\": \"ProfilerStep#4\", \"cat\": \"user_annotation\", \"pid\": 1, \"tid\": 2, \"ts\": 6},\n"
    "{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 8},\n"
    "{\"ph\": \"B\", \"name\": \"open\", \"ts\": 9, \"args\": {\"correlation\": 8}},\n"
    "{\"ph\": \"E\", \"name\": \"alone\", \"pid\": 1, \"tid\": 2, \"ts\": 10},\n";

static const char *path;

static void make_input(size_t n)
{
    FILE *f = fopen(path, "w");
    NEED(f && fputs(head, f) >= 0);
    for (size_t i = 0; i < n; i++)
        NEED(fprintf(f, "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"launch %zu\", \"pid\": 1, \"tid\": 2, \"ts\":"
                        " %zu.5, \"dur\": 1, \"args\": {\"correlation\": %zu, \"x\": \"%zu\", \"y\": 0.%zu}},\n"
                        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"kernel\\u00e9\", \"pid\": 0, \"tid\": %zu, \"ts\": %zu,"
                        " \"dur\": 2, \"args\": {\"device\": 0, \"stream\": %zu, \"correlation\": %zu}},\n",
                     i % 9, 4 * (n - i), i + 1, i % 4, i % 7, i % 3, 4 * (n - i) + 2, i % 3, i + 1) > 0);
    NEED(fputs("{\"ph\": \"i\", \"name\": \"last\", \"pid\": 1, \"tid\": 2, \"ts\": 3, \"s\": \"t\"}], \"more\": {\"a\": 1}}\n",
               f) >= 0 &&
         fclose(f) == 0);
}

/* ---- cases: each gives TR_END when it is done, and bytes that show what came of it ---- */

typedef enum tr_status a_case(struct tr_buf *out, struct tr_error *err);

static enum tr_status open_input(struct tr_input **in, bool no_sort, bool spilled, struct tr_error *err)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    opts.no_sort = no_sort;
    opts.temp_dir = "/tmp";
    opts.tuning.batch_events = 16;
    if (spilled)
        opts.max_memory_bytes = 1;
    opts.tuning.piece_bytes = spilled ? 20000 : 0;
    return tr_open(in, path, &opts, err);
}

/* A stream of all events. */
static enum tr_status copy(struct tr_input *in, const struct tr_dict *dict, struct tr_redact *redactor,
                           struct tr_buf *out, struct tr_error *err)
{
    struct tr_sink sink = { sink_to_buf, out };
    struct tr_writer *w;
    const struct tr_batch *b;
    struct tr_writer_opts o = { TR_CODEC_ZLIB, 0, 1, 0 };
    enum tr_status st = tr_writer_new(&w, &sink, &o, err);
    if (st != TR_OK)
        return st;
    st = tr_writer_start(w, dict, in->summary, NULL, in->sorted, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        if (redactor)
            st = tr_redact_batch(redactor, b, &b, err);
        if (st == TR_OK)
            st = tr_writer_batch(w, b, err);
    }
    if (st == TR_END && redactor && (st = tr_redact_sync(redactor, err)) == TR_OK)
        st = TR_END;
    if (st != TR_END) {
        tr_writer_abandon(w);
        return st;
    }
    st = tr_writer_finish(w, err);
    return st == TR_OK ? TR_END : st;
}

static enum tr_status parse(bool no_sort, bool spilled, struct tr_buf *out, struct tr_error *err)
{
    struct tr_input *in;
    enum tr_status st = open_input(&in, no_sort, spilled, err);
    if (st != TR_OK)
        return st;
    st = copy(in, in->dict, NULL, out, err);
    tr_input_close(in);
    return st;
}

/* Sources and clocks of a dictionary: what the caller has stays the caller's, whatever fails. */
static enum tr_status dictionary(struct tr_buf *out, struct tr_error *err)
{
    struct tr_dict *d = tr_dict_new();
    uint32_t *keys = __libc_calloc(3, sizeof *keys);
    struct tr_clock_fix *fixes = __libc_calloc(3, sizeof *fixes);
    uint64_t *steps = __libc_calloc(3, sizeof *steps);
    NEED(keys && fixes && steps);
    const struct tr_source source = { .name = TR_NO_STR, .host = TR_NO_STR, .header_keys = keys, .header_values = keys,
                                      .n_header = 3 };
    const struct tr_clock clock = { .fixes = fixes, .n_fixes = 3, .step_fixes = steps, .n_step_fixes = 3 };
    bool ok = d && tr_dict_add_source(d, &source) != UINT32_MAX && tr_dict_add_clock(d, &clock) != UINT32_MAX;
    tr_dict_free(d);
    free(keys);
    free(fixes);
    free(steps);
    ok = ok && tr_buf_add_str(out, "made");
    return ok ? TR_END : tr_fail_memory(err);
}

static enum tr_status sorted(struct tr_buf *out, struct tr_error *err)
{
    return parse(false, false, out, err);
}

static enum tr_status unsorted(struct tr_buf *out, struct tr_error *err)
{
    return parse(true, false, out, err);
}

static enum tr_status spilled(struct tr_buf *out, struct tr_error *err)
{
    return parse(false, true, out, err);
}

static enum tr_status redacted(struct tr_buf *out, struct tr_error *err)
{
    struct tr_input *in;
    struct tr_redact *r = NULL;
    enum tr_status st = open_input(&in, true, false, err);
    if (st != TR_OK)
        return st;
    const struct tr_redact_opts opts = { .key = "0123456789abcdef", .key_len = 16 };
    st = tr_redact_new(&r, in->dict, in->sorted, &opts, err);
    if (st == TR_OK)
        st = copy(in, tr_redact_dict(r), r, out, err);
    tr_redact_free(r);
    tr_input_close(in);
    return st;
}

/* What a stream holds, read back; the stream itself is made before anything fails. */
static struct tr_buf stream;

static enum tr_status reread(struct tr_buf *out, struct tr_error *err)
{
    struct memory_source m = { .data = stream.data, .len = stream.len };
    struct tr_stream_bytes from = { read_memory, NULL, &m, NULL };
    struct tr_input *in;
    enum tr_status st = tr_reader_open(&in, &from, "memory", err);
    if (st != TR_OK)
        return st;
    st = copy(in, in->dict, NULL, out, err);
    tr_input_close(in);
    return st;
}

static enum tr_status json(struct tr_buf *out, struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = open_input(&in, false, false, err);
    if (st != TR_OK)
        return st;
    struct tr_chrome_writer *w = tr_chrome_writer_new(in->dict, 2);
    st = w ? TR_OK : tr_fail_memory(err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        for (size_t at = 0; st == TR_OK && at < b->n;)
            st = tr_chrome_batch(w, b, &at, b->n, out, err);
    if (st == TR_END && (st = tr_chrome_end(w, out, err)) == TR_OK)
        st = TR_END;
    tr_chrome_writer_free(w);
    tr_input_close(in);
    return st;
}

static enum tr_status condition(struct tr_buf *out, struct tr_error *err)
{
    static const char text[] = "name =~ 'k(er)*nel' || (args.correlation in (3, 1, 5..7, 2.5) && !(cat == cuda_runtime)) ||"
                               " pid in (1, p) || name in (pair, 'launch 2') || rank == 2 && dur > 1us";
    struct tr_input *in;
    struct tr_expr *e = NULL;
    const struct tr_batch *b;
    uint8_t mask[64];
    enum tr_status st = open_input(&in, false, false, err);
    if (st != TR_OK)
        return st;
    st = tr_expr_compile(&e, text, err);
    if (st == TR_OK)
        st = tr_expr_bind(e, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = b->n <= sizeof mask ? tr_expr_eval(e, b, mask, err) : TR_USAGE;
        if (st == TR_OK && !tr_buf_add(out, mask, b->n))
            st = tr_fail_memory(err);
    }
    tr_expr_free(e);
    tr_input_close(in);
    return st;
}

/* A condition on rows of a table, and whether each of them holds. */
static enum tr_status row_condition(struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_cond_var vars[] = { { "name", TR_COND_TEXT }, { "calls", TR_COND_NUMBER } };
    struct tr_cond_value row[] = { { .text = { "gemm", 4 } }, { .number = 3 } };
    struct tr_cond *c = NULL;
    enum tr_status st = tr_cond_compile(&c, "name =~ 'g.*' && calls in (1, 3) || name == x", vars, 2, err);
    for (int i = 0; st == TR_OK && i < 3; i++) {
        row[1].number = i + 1;
        if (!tr_buf_add(out, tr_cond_eval(c, row) ? "1" : "0", 1))
            st = tr_fail_memory(err);
    }
    if (c && tr_cond_no_memory(c))
        st = tr_fail_memory(err);
    tr_cond_free(c);
    return st == TR_OK ? TR_END : st;
}

static enum tr_status table(struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_table_column columns[] = { { .name = "name", .type = TR_CELL_STRING, .role = TR_ROLE_KEY },
                                                      { .name = "calls", .type = TR_CELL_COUNT, .role = TR_ROLE_COUNT } };
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    if (!t)
        return tr_fail_memory(err);
    tr_table_columns(t, columns, 2);
    for (unsigned i = 0; i < 40; i++) {
        tr_table_string(t, i % 2 ? "kernel" : "a name that is longer");
        tr_table_count(t, i);
    }
    tr_table_hide(t, 3);
    tr_table_total(t, "all");
    enum tr_status st = tr_table_write(t, &tr_row_sink_tsv, out, err);
    tr_table_free(t);
    return st == TR_OK ? TR_END : st;
}

/* ---- */

static void run(struct tap *t, const char *name, a_case *one, enum calls what, long step)
{
    struct tr_buf want = { 0 }, have = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    long n = 0, n_reported = 0;
    bool good = one(&want, &err) == TR_END && want.len > 0;
    if (!good)
        printf("# undisturbed: %s\n", err.what);
    for (; good; n += step) {
        err = (struct tr_error)TR_ERROR_INIT;
        has_failed = false;
        until = n;
        failing = what;
        tr_buf_free(&have);
        have = (struct tr_buf){ 0 };
        enum tr_status st = one(&have, &err);
        failing = N_CALLS;
        bool same = st == TR_END && have.len == want.len && !memcmp(have.data, want.data, want.len);
        good = same || (has_failed && st == TR_SYSTEM && err.what[0]);
        if (!good)
            printf("# call %ld: status %d, %s\n", n, (int)st, err.what);
        n_reported += st == TR_SYSTEM;
        if (!has_failed)
            break;
    }
    tap_ok(t, good && n_reported > 0, "%s: each of %ld calls fails, %ld are told", name, n, n_reported);
    tr_buf_free(&want);
    tr_buf_free(&have);
}

int main(void)
{
    struct tap t = { 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    char name[] = "/tmp/failing-XXXXXX";
    int fd = mkstemp(name);
    NEED(fd >= 0 && close(fd) == 0);
    path = name;
    make_input(30);
    NEED(sorted(&stream, &err) == TR_END);
    run(&t, "a dictionary", dictionary, MEMORY, 1);
    run(&t, "sorted", sorted, MEMORY, 1);
    run(&t, "not sorted", unsorted, MEMORY, 1);
    run(&t, "redacted", redacted, MEMORY, 1);
    run(&t, "a stream", reread, MEMORY, 1);
    run(&t, "JSON", json, MEMORY, 1);
    run(&t, "a condition", condition, MEMORY, 1);
    run(&t, "a condition on rows", row_condition, MEMORY, 1);
    run(&t, "a table with a total", table, MEMORY, 1);
    make_input(3000);
    run(&t, "temporary files, read", spilled, READS, 1);
    run(&t, "temporary files, written", spilled, WRITES, 1);
    run(&t, "temporary files, memory", spilled, MEMORY, 37);
    remove(path);
    tr_buf_free(&stream);
    return tap_end(&t);
}

#else

int main(void)
{
    printf("1..0 # SKIP calls of the C library cannot be made to fail here\n");
    return 0;
}

#endif
