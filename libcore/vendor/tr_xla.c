/* SPDX-License-Identifier: MIT */
/* Names in profiles of XLA. */
#include "vendor/tr_xla.h"

#include "base/tr_num.h"

static bool starts(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && memcmp(s.s, with, n) == 0;
}

static bool starts_in_any_case(struct tr_str s, const char *with)
{
    size_t n = 0;
    while (with[n] && n < s.len && (s.s[n] | 0x20) == with[n])
        n++;
    return !with[n];
}

/* The text after the first occurrence of a word; s NULL: the word is not there. */
static struct tr_str after(struct tr_str s, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= s.len; i++)
        if (memcmp(s.s + i, word, n) == 0)
            return (struct tr_str){ s.s + i + n, s.len - i - n };
    return (struct tr_str){ NULL, 0 };
}

/* The number at the start of a text, which must end where it does, or go on with one of the bytes of ends. */
static int64_t number(struct tr_str s, const char *ends)
{
    uint64_t v;
    bool over = false;
    size_t n = s.len ? tr_num_digits(s.s, s.len, 999999999, &v, &over) : 0;
    return n && !over && (n == s.len || strchr(ends, s.s[n])) ? (int64_t)v : TR_I64_NONE;
}

struct tr_xla_process tr_xla_process(struct tr_str name)
{
    static const struct {
        const char *word;
        enum tr_xla_kind kind;
    } devices[] = {
        { "device:GPU:", TR_XLA_GPU }, { "device:TPU:", TR_XLA_TPU }, { "device:CUSTOM:", TR_XLA_TPU },
        { "/gpu:", TR_XLA_GPU },
    };
    struct tr_xla_process p = { TR_XLA_OTHER, TR_I64_NONE, TR_I64_NONE, false };
    if (starts(name, "/host:") && !starts(name, "/host:metadata"))
        p.kind = TR_XLA_HOST;
    for (size_t i = 0; name.len && name.s[0] == '/' && i < sizeof devices / sizeof *devices; i++) {
        struct tr_str rest = after(name, devices[i].word), stream = after(name, "/stream:");
        if (!rest.s)
            continue;
        p.kind = devices[i].kind;
        p.device = number(rest, " /");
        p.stream = number(stream, " (");
        p.repeats = stream.s && p.stream == TR_I64_NONE;
        break;
    }
    return p;
}

int64_t tr_xla_stream(struct tr_str line)
{
    static const char start[] = "Stream #";
    uint64_t v;
    if (!starts(line, start))
        return TR_I64_NONE;
    struct tr_str rest = { line.s + sizeof start - 1, line.len - (sizeof start - 1) };
    return rest.len && tr_num_digits(rest.s, rest.len, INT64_MAX, &v, NULL) ? (int64_t)v : TR_I64_NONE;
}

bool tr_xla_ran(enum tr_xla_kind kind, struct tr_str line)
{
    if (kind == TR_XLA_GPU)
        return starts(line, "Stream #");
    return tr_str_is(line, "XLA Ops") || tr_str_is(line, "Async XLA Ops") || tr_str_is(line, "Sparse Core Ops");
}

bool tr_xla_is_step_line(struct tr_str line)
{
    return tr_str_is(line, "Steps") || tr_str_is(line, "Sparse Core Steps");
}

enum tr_activity tr_xla_host_activity(struct tr_str name, bool correlated, bool has_op)
{
    if (name.len && name.s[0] == '$') /* the Python tracer marks its frames so */
        return TR_ACT_PYTHON;
    if (starts(name, "cuda") || starts(name, "hip"))
        return TR_ACT_RUNTIME_API;
    if (correlated || (starts(name, "cu") && name.len > 2 && name.s[2] >= 'A' && name.s[2] <= 'Z'))
        return TR_ACT_DRIVER_API;
    return has_op ? TR_ACT_CPU_OP : TR_ACT_ANNOTATION;
}

enum tr_activity tr_xla_device_activity(struct tr_str name)
{
    if (starts_in_any_case(name, "memset"))
        return TR_ACT_MEMSET;
    if (starts_in_any_case(name, "memcpy") || starts_in_any_case(name, "copy"))
        return TR_ACT_MEMCPY;
    return TR_ACT_KERNEL;
}
