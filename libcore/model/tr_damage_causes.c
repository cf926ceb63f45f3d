/* SPDX-License-Identifier: MIT */
/* Names of causes of damage, and the copy of their counts to a summary. */
#include "model/tr_damage_causes.h"

#include <stdio.h>

static const struct {
    const char *name, *text;
    bool loses;
} causes[TR_N_DAMAGE_CAUSES] = {
    [TR_DAMAGE_BAD_ESCAPE] = { "bad_escape", "unknown escape in a string, kept unchanged", false },
    [TR_DAMAGE_CONTROL_BYTE] = { "control_byte", "raw control byte in a string, kept", false },
    [TR_DAMAGE_BAD_UTF8] = { "bad_utf8", "invalid UTF-8 in a string, its bytes kept", false },
    [TR_DAMAGE_LONE_SURROGATE] = { "lone_surrogate", "half of a surrogate pair, replaced by U+FFFD", false },
    [TR_DAMAGE_INNER_QUOTE] = { "inner_quote", "unescaped quote inside a string, kept as part of it", false },
    [TR_DAMAGE_NOT_A_NUMBER] = { "not_a_number", "NaN or infinity, kept as text and without a value", false },
    [TR_DAMAGE_ODD_NUMBER] = { "odd_number", "number in a form that JSON forbids, accepted", false },
    [TR_DAMAGE_MISSING_COMMA] = { "missing_comma", "missing comma, added", false },
    [TR_DAMAGE_EXTRA_COMMA] = { "extra_comma", "extra comma, ignored", false },
    [TR_DAMAGE_NOT_AN_OBJECT] = { "not_an_object", "element that is not an object, skipped", true },
    [TR_DAMAGE_TIME_AS_STRING] = { "time_as_string", "time in quotes, read as a number", false },
    [TR_DAMAGE_BAD_DUR] = { "bad_dur", "span without a usable dur, kept without a duration", false },
    [TR_DAMAGE_DUPLICATE_KEY] = { "duplicate_key", "key that occurs twice, its last value taken", false },
    [TR_DAMAGE_BYTE_ORDER_MARK] = { "byte_order_mark", "byte order mark, ignored", false },
    [TR_DAMAGE_SECOND_TRACE] = { "second_trace", "another trace after the first one, also read", false },
    [TR_DAMAGE_BAD_EVENT] = { "bad_event", "text that cannot be read as an event, lost", true },
    [TR_DAMAGE_BAD_TIME] = { "bad_time", "event without a usable ts, kept without a time", false },
    [TR_DAMAGE_BAD_PHASE] = { "bad_phase", "event without a ph, kept without a phase", false },
    [TR_DAMAGE_TOO_LONG] = { "too_long", "event beyond the size limit, lost", true },
    [TR_DAMAGE_TRUNCATED] = { "truncated", "text ends in the middle, the rest is lost", true },
    [TR_DAMAGE_BAD_COMPRESSION] = { "bad_compression", "damaged compressed data, lost", true },
    [TR_DAMAGE_TRAILING_BYTES] = { "trailing_bytes", "text after the end, ignored", false },
    [TR_DAMAGE_ARGS_NOT_OBJECT] = { "args_not_object", "args that are not an object, kept as text", false },
    [TR_DAMAGE_UNMATCHED_END] = { "unmatched_end", "end without a begin, kept as a separate event", false },
    [TR_DAMAGE_UNMATCHED_BEGIN] = { "unmatched_begin", "begin without an end, kept as a span without duration", false },
    [TR_DAMAGE_TIME_IN_NS] = { "time_in_ns", "ts in nanoseconds where microseconds belong, kept without a time",
                               false },
    [TR_DAMAGE_BAD_HEADER] = { "bad_header", "member beside traceEvents that cannot be read, lost", true },
};

const char *tr_damage_cause_name(unsigned cause)
{
    return cause < TR_N_DAMAGE_CAUSES ? causes[cause].name : "?";
}

const char *tr_damage_cause_text(unsigned cause)
{
    return cause < TR_N_DAMAGE_CAUSES ? causes[cause].text : "?";
}

bool tr_damage_cause_loses(unsigned cause)
{
    return cause < TR_N_DAMAGE_CAUSES && causes[cause].loses;
}

void tr_damage_cause_count(struct tr_damage_cause_counts *c, enum tr_damage_cause cause, uint64_t offset)
{
    if (c->n[cause]++ == 0)
        c->first[cause] = offset;
}

void tr_damage_cause_add(struct tr_damage_cause_counts *c, const struct tr_damage_cause_counts *more)
{
    for (unsigned i = 0; i < TR_N_DAMAGE_CAUSES; i++) {
        if (c->n[i] == 0)
            c->first[i] = more->first[i];
        c->n[i] += more->n[i];
    }
}

bool tr_damage_cause_sum_up(const struct tr_damage_cause_counts *c, struct tr_source_summary *s)
{
    for (unsigned i = 0; i < TR_N_DAMAGE_CAUSES; i++) {
        struct tr_damage d = { .loses = causes[i].loses, .count = c->n[i], .first = c->first[i] };
        snprintf(d.name, sizeof d.name, "%s", causes[i].name);
        snprintf(d.text, sizeof d.text, "%s", causes[i].text);
        if (c->n[i] && !tr_summary_add_damage(s, &d))
            return false;
    }
    return true;
}
