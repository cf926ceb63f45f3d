/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: what one walk owns, and the damage that it counts. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include <stdlib.h>

bool tr__perfetto_no_memory(struct tr__perfetto_reader *r)
{
    tr_fail_memory(r->err);
    return false;
}

void tr__perfetto_damaged(struct tr__perfetto_reader *r, enum tr__perfetto_damage d, uint64_t offset)
{
    static const struct tr_ingest_cause causes[TR__N_PERFETTO_DAMAGES] = {
        [TR__LOST_TEXT] = { "lost_text", "number of a text that is not in the file", true },
        [TR__BAD_VALUE] = { "bad_value", "value of an annotation that cannot be read", true },
        [TR__LOST_CLOCK] = { "lost_clock", "time of a clock that no snapshot relates to that of the trace: as it is",
                             false },
        [TR__TOO_DEEP] = { "too_deep", "compressed packets more than 4 levels deep", true },
        [TR__BAD_PART] = { "bad_part", "part of a packet that cannot be read", true },
    };
    r->n_damaged++;
    if (r->role != TR__EMITTER) /* it has been counted */
        tr_ingest_damaged_by(r->g, &causes[d], offset);
}

void tr__perfetto_damaged_at(struct tr__perfetto_reader *r, enum tr_damage_cause cause, uint64_t offset)
{
    if (r->second)
        tr_ingest_damaged(r->g, cause, offset);
    r->lost = true;
}

void tr__perfetto_free_own(struct tr__perfetto_reader *r)
{
    tr__numbers_free(&r->queues);
    tr__numbers_free(&r->agents);
    tr__numbers_free(&r->flows);
    tr__numbers_free(&r->gpu_series);
    free(r->gpu_last);
    free(r->queue);
    free(r->later);
    tr_strtab_free(r->strings);
    tr_strtab_free(r->values);
    free(r->value_of);
    free(r->steps);
    free(r->templates);
    free(r->flow_templates);
    free(r->known);
    free(r->annotations);
    free(r->flow_ids);
    free(r->extra_tracks);
    free(r->extra_double_tracks);
    free(r->extra_values);
    free(r->extra_doubles);
    tr_buf_free(&r->category);
    tr_buf_free(&r->json);
    tr_buf_free(&r->clean);
    tr_buf_free(&r->kept);
}
