/* SPDX-License-Identifier: MIT */
/* filter EXPRESSION OUTPUT FILE...: the events that an expression of tr-expr(7) selects, as a stream. */
#include <tracepipe.h>

#include <stdio.h>

/* Write all selected events. */
static enum tr_status pass_on(struct tr_trace *trace, const char *path, struct tr_error *err)
{
    struct tr_output_options options = { .size = sizeof options, .compress = "lz4", .program = "filter" };
    struct tr_output *output;
    const struct tr_batch *batch;
    enum tr_status st = tr_output_open(&output, path, trace, &options, err);

    while (st == TR_OK && (st = tr_trace_next(trace, &batch, err)) == TR_OK)
        st = tr_output_batch(output, batch, err);
    if (st == TR_END)
        return tr_output_finish(output, err);
    tr_output_abandon(output); /* leaves no file */
    return st;
}

int main(int argc, char **argv)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *trace = NULL;
    char text[1400];
    enum tr_status st = err ? TR_OK : TR_SYSTEM;

    if (argc < 4)
        st = tr_fail(err, TR_USAGE, "an expression, an output and inputs are needed");
    if (st == TR_OK)
        st = tr_trace_open(&trace, (const char *const *)argv + 3, (size_t)argc - 3, NULL, err);
    if (st == TR_OK)
        st = tr_trace_select(trace, "where", argv[1], err);
    if (st == TR_OK)
        st = pass_on(trace, argv[2], err);
    if (st != TR_OK && err)
        fprintf(stderr, "filter: %s\n", tr_error_text(err, text, sizeof text));
    tr_trace_close(trace);
    tr_error_free(err);
    return st == TR_OK ? 0 : 1;
}
