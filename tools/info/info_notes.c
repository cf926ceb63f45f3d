/* SPDX-License-Identifier: MIT */
/* The notes of tr-info: problems of the trace. */
#include "info/info_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* The list that is being written. */
struct notes {
    const struct info_report *r;
    const struct tr_dict *d;
    const struct tr_info *info;
    bool with_source; /* several sources have the same rank */
    struct tr_buf *out;
    size_t n;
    bool ok;
};

static void note(struct notes *t, const char *fmt, ...) TR_PRINTF(2, 3);

static void note(struct notes *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    t->ok = t->ok && (t->n++ || tr_buf_add_str(t->out, "\nnotes\n")) && tr_buf_add_str(t->out, "  ") &&
            tr_buf_print_list(t->out, fmt, args) && tr_buf_add_str(t->out, "\n");
    va_end(args);
}

/* "rank 3", or "source 2" if ranks do not identify sources. */
static const char *source_name(const struct notes *t, size_t i, char *s, size_t size)
{
    if (t->with_source)
        snprintf(s, size, "source %zu", i);
    else
        snprintf(s, size, "rank %" PRId64, t->d->sources[i].rank);
    return s;
}

static void note_source(struct notes *t, size_t i)
{
    const struct tr_source_summary *sum = info_summary(t->r, i);
    const struct tr_info_source *n = &t->info->sources[i];
    char name[32];
    source_name(t, i, name, sizeof name);
    uint64_t lost = sum ? tr_summary_damage(sum, true) : 0, suspect = 0;
    if (t->d->sources[i].partial)
        note(t, "%s: its tail is missing", name);
    else if (lost)
        note(t, "%s: %" PRIu64 " events or parts of it are lost", name, lost);
    for (unsigned d = 0; d < TR_N_DOUBTS; d++)
        if (tr_info_doubts(n, d)) {
            struct tr_buf what = { 0 };
            t->ok &= tr_info_doubt_text(n, d, &what);
            note(t, "%s: %s", name, tr_buf_text(&what));
            tr_buf_free(&what);
        }
    for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
        suspect += n->n_suspect[k];
    if (suspect)
        note(t, "%s: %" PRIu64 " event%s with suspect values", name, suspect, suspect == 1 ? "" : "s");
    if (n->n_open)
        note(t, "%s: %" PRIu64 " spans without an end", name, n->n_open);
}

static void note_all(struct notes *t)
{
    const struct tr_summary *sum = t->r->in->summary;
    size_t bases = 0, unknown = 0, pieces = 0;
    bool ranks = false; /* of several, from files of their own */
    for (size_t i = 0; i < t->info->n_sources; i++) {
        bases += t->d->sources[i].has_base;
        unknown += t->d->sources[i].rank < 0;
        ranks |= t->d->sources[i].rank != t->d->sources[0].rank || t->d->sources[i].rank < 0;
        pieces += t->d->sources[i].whole != 0;
    }
    if (t->r->selects || (sum && sum->filtered))
        note(t, "a filter removed events: salvage, steps, launches and lags are those of the whole sources");
    if (pieces)
        note(t, "%zu of %zu sources are parts (tr-filter --split): salvage is that of the whole, all else of the part",
             pieces, t->info->n_sources);
    if (sum && sum->redacted)
        note(t, "names were replaced by tokens (tr-filter --redact); the texts that are left: tr-info --texts");
    if (t->info->n_disordered)
        note(t,
             "%" PRIu64 " events are out of canonical order, first record %" PRIu64
             " of source %" PRIu32,
             t->info->n_disordered, t->info->disordered_record, t->info->disordered_source);
    if (unknown)
        note(t, "%zu of %zu sources have no known rank", unknown, t->info->n_sources);
    ranks &= t->info->n_sources > 1 && !tr_dict_one_file(t->d);
    if (ranks && bases < t->info->n_sources && !tr_dict_aligned(t->d))
        note(t, "%zu of %zu sources have no time base: their times may not compare",
             t->info->n_sources - bases, t->info->n_sources);
    for (size_t i = 0; i < t->info->n_sources; i++)
        if (info_looks_at(t->r, i))
            note_source(t, i);
}

enum tr_status info_notes(const struct info_report *r, bool with_source, struct tr_buf *out,
                          struct tr_error *err)
{
    struct notes t = {
        .r = r,
        .d = r->in->dict,
        .info = r->info,
        .with_source = with_source,
        .out = out,
        .ok = true,
    };
    note_all(&t);
    if (!t.n)
        t.ok = t.ok && tr_buf_add_str(out, "\nno problems found\n");
    return t.ok ? TR_OK : tr_fail_memory(err);
}
