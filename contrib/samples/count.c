/* SPDX-License-Identifier: MIT */
/* count FILE...: how many events of each activity there are. */
#include <tracepipe.h>

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *trace = NULL;
    const struct tr_batch *batch;
    uint64_t count[256] = { 0 }; /* activities are bytes */
    char text[1400];
    const char *const *paths = (const char *const *)argv + 1;
    enum tr_status st = err ? tr_trace_open(&trace, paths, (size_t)argc - 1, NULL, err) : TR_SYSTEM;

    while (st == TR_OK && (st = tr_trace_next(trace, &batch, err)) == TR_OK) {
        const uint8_t *activity = tr_batch_activity(batch);
        for (size_t i = 0; i < tr_batch_count(batch); i++)
            count[activity[i]]++;
    }
    if (st == TR_END) /* the whole trace was read */
        for (unsigned a = 0; a < 256; a++)
            if (count[a])
                printf("%s\t%" PRIu64 "\n", tr_activity_name(a), count[a]);
    if (st != TR_END && err)
        fprintf(stderr, "count: %s\n", tr_error_text(err, text, sizeof text));
    tr_trace_close(trace);
    tr_error_free(err);
    return st == TR_END ? 0 : 1;
}
