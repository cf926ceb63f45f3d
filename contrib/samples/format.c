/* SPDX-License-Identifier: MIT */
/* format FILE...: adds a format with lines "START_NS DURATION_NS NAME", and lists its events in order of time. */
#include <tracepipe.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int probe(void *ctx, const unsigned char *start, size_t n)
{
    return (void)ctx, n >= 7 && memcmp(start, "#spans\n", 7) == 0 ? 100 : 0;
}
/* One line, a byte at a time; the library buffers the input. */
static enum tr_status read_line(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    char line[1024], name[1024];
    int64_t start, dur;
    size_t len = 0, got;
    enum tr_status st;
    (void)ctx;
    while ((st = tr_ingest_read(g, line + len, 1, &got, err)) == TR_OK && line[len] != '\n' && len < 1022)
        len++;
    line[len] = '\0';
    if (st != TR_OK || line[0] == '#')
        return st;
    if (sscanf(line, "%" SCNd64 " %" SCNd64 " %1023s", &start, &dur, name) != 3)
        return tr_ingest_damage(g, "bad_line", "no start, duration and name, left out", true, UINT64_MAX), TR_OK;
    tr_ingest_begin(g, TR_SPAN, start, dur);
    tr_ingest_name(g, name, strlen(name));
    tr_ingest_activity(g, TR_ACT_CPU_OP);
    return tr_ingest_end(g, err);
}
int main(int argc, char **argv)
{
    static const struct tr_format_def spans = { sizeof spans, "spans", "lines", probe, NULL, read_line, NULL, NULL };
    const struct tr_format_def *formats[] = { &spans };
    struct tr_trace_options options = { .size = sizeof options, .formats = formats, .n_formats = 1 };
    char text[1400];
    struct tr_error *err = tr_error_new();
    struct tr_trace *trace = NULL;
    const struct tr_batch *b;
    enum tr_status st = tr_trace_open(&trace, (const char *const *)argv + 1, (size_t)argc - 1, &options, err);
    while (st == TR_OK && (st = tr_trace_next(trace, &b, err)) == TR_OK)
        for (size_t i = 0; i < tr_batch_count(b); i++)
            printf("%" PRId64 "\t%s\n", tr_batch_ts(b)[i], tr_dict_string(tr_batch_dict(b), tr_batch_name(b)[i], NULL));
    if (st != TR_END)
        fprintf(stderr, "format: %s\n", tr_error_text(err, text, sizeof text));
    tr_trace_close(trace), tr_error_free(err);
    return st != TR_END;
}
