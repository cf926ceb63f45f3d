#include "stream/tr_summary.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
    bool loses;
} causes[TR_N_CAUSES] = {
    [TR_CAUSE_BAD_ESCAPE] = { "bad_escape", "unknown escape in a string, kept as it is", false },
    [TR_CAUSE_CONTROL_BYTE] = { "control_byte", "raw control byte in a string, kept", false },
    [TR_CAUSE_BAD_UTF8] = { "bad_utf8", "invalid UTF-8 in a string, its bytes kept", false },
    [TR_CAUSE_LONE_SURROGATE] = { "lone_surrogate", "half of a surrogate pair, replaced by U+FFFD",
                                  false },
    [TR_CAUSE_INNER_QUOTE] = { "inner_quote", "unescaped quote inside a string, taken as part of it",
                               false },
    [TR_CAUSE_NOT_A_NUMBER] = { "not_a_number", "NaN or infinity, kept as text and without a value", false },
    [TR_CAUSE_ODD_NUMBER] = { "odd_number", "number in a form that JSON forbids, taken", false },
    [TR_CAUSE_MISSING_COMMA] = { "missing_comma", "missing comma, assumed", false },
    [TR_CAUSE_EXTRA_COMMA] = { "extra_comma", "extra comma, ignored", false },
    [TR_CAUSE_NOT_AN_OBJECT] = { "not_an_object", "element that is no object, skipped", true },
    [TR_CAUSE_TIME_AS_STRING] = { "time_as_string", "time in quotes, taken as a number", false },
    [TR_CAUSE_BAD_DUR] = { "bad_dur", "span without a usable dur, kept without a duration", false },
    [TR_CAUSE_DUPLICATE_KEY] = { "duplicate_key", "key that occurs twice, its last value taken", false },
    [TR_CAUSE_BYTE_ORDER_MARK] = { "byte_order_mark", "byte order mark, ignored", false },
    [TR_CAUSE_SECOND_TRACE] = { "second_trace", "another trace behind the first one, read too",
                                false },
    [TR_CAUSE_BAD_EVENT] = { "bad_event", "text that cannot be read as an event, lost", true },
    [TR_CAUSE_BAD_TIME] = { "bad_time", "event without a usable ts, kept without a time", false },
    [TR_CAUSE_BAD_PHASE] = { "bad_phase", "event without a ph, kept without a phase", false },
    [TR_CAUSE_TOO_LONG] = { "too_long", "event beyond the size limit, lost", true },
    [TR_CAUSE_TRUNCATED] = { "truncated", "text ends in the middle, the rest is lost", true },
    [TR_CAUSE_BAD_COMPRESSION] = { "bad_compression", "damaged compressed data, lost", true },
    [TR_CAUSE_TRAILING_BYTES] = { "trailing_bytes", "text behind the end, ignored", false },
    [TR_CAUSE_ARGS_NOT_OBJECT] = { "args_not_object", "args that are no object, kept as text",
                                   false },
    [TR_CAUSE_UNMATCHED_END] = { "unmatched_end", "end without a begin, kept as an event of its own", false },
    [TR_CAUSE_UNMATCHED_BEGIN] = { "unmatched_begin",
                                   "begin without an end, kept as a span without duration", false },
    [TR_CAUSE_BAD_HEADER] = { "bad_header", "member beside traceEvents that cannot be read, lost", true },
};

const char *tr_cause_name(unsigned cause)
{
    return cause < TR_N_CAUSES ? causes[cause].name : "?";
}

const char *tr_cause_text(unsigned cause)
{
    return cause < TR_N_CAUSES ? causes[cause].text : "?";
}

bool tr_cause_loses(unsigned cause)
{
    return cause < TR_N_CAUSES && causes[cause].loses;
}

static void free_rows(struct tr_summary *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->sources[i].steps);
    free(s->sources);
}

bool tr_summary_reset(struct tr_summary *s, size_t n)
{
    if (n > SIZE_MAX / sizeof(struct tr_source_summary))
        return false;
    struct tr_source_summary *rows = calloc(n ? n : 1, sizeof *rows);
    if (!rows)
        return false;
    for (size_t i = 0; i < n; i++) {
        rows[i].first_ts = rows[i].last_end = TR_TIME_NONE;
        rows[i].lag_min = rows[i].lag_max = TR_TIME_NONE;
    }
    free_rows(s);
    *s = (struct tr_summary){ .sources = rows, .n = n };
    return true;
}

struct tr_summary *tr_summary_new(size_t n)
{
    struct tr_summary *s = calloc(1, sizeof *s);
    if (s && tr_summary_reset(s, n))
        return s;
    free(s);
    return NULL;
}

bool tr_summary_assign(struct tr_summary *to, const struct tr_summary *from)
{
    if (!tr_summary_reset(to, from->n))
        return false;
    to->sorted = from->sorted;
    to->filtered = from->filtered;
    for (size_t i = 0; i < from->n; i++) {
        struct tr_source_summary *row = &to->sources[i];
        *row = from->sources[i];
        row->steps = NULL;
        row->n_steps = row->cap_steps = 0;
        for (size_t k = 0; k < from->sources[i].n_steps; k++)
            if (!tr_summary_add_step(row, &from->sources[i].steps[k]))
                return false;
    }
    return true;
}

struct tr_summary *tr_summary_copy(const struct tr_summary *s)
{
    struct tr_summary *copy = tr_summary_new(0);
    if (copy && tr_summary_assign(copy, s))
        return copy;
    tr_summary_free(copy);
    return NULL;
}

bool tr_summary_add_step(struct tr_source_summary *s, const struct tr_step *step)
{
    if (!tr_grow(&s->steps, &s->cap_steps, s->n_steps + 1, sizeof *s->steps))
        return false;
    s->steps[s->n_steps++] = *step;
    return true;
}

void tr_summary_free(struct tr_summary *s)
{
    if (!s)
        return;
    free_rows(s);
    free(s);
}
