/* SPDX-License-Identifier: MIT */
/* Sums of groups: the values of events. */
#include "analysis/sums/tr_sum_int.h"

#include "base/tr_num.h"
#include "base/tr_wide_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void tr__sum_values_free(struct tr__sum_values *v)
{
    free(v->value);
    free(v->launch_ts);
    free(v->launch_dur);
    tr_arg_free(&v->arg);
}

/* ---- numbers of args ---- */

/* v times 10 to the power n; TR_I64_NONE: it does not fit. */
static int64_t times_ten(int64_t v, unsigned n)
{
    for (; n && v != TR_I64_NONE; n--)
        v = v > INT64_MAX / 10 || v < -(INT64_MAX / 10) ? TR_I64_NONE : v * 10;
    return v;
}

/* v divided by 10 to the power n, half away from 0. */
static int64_t by_ten(int64_t v, unsigned n)
{
    uint64_t by = 1, size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (n > 18)
        return 0;
    for (; n; n--)
        by *= 10;
    size = size / by + (size % by >= (by + 1) / 2);
    return v < 0 ? -(int64_t)size : (int64_t)size;
}

/* d times one or a million, rounded; TR_I64_NONE: it does not fit. */
static int64_t of_double(double d, bool fraction)
{
    double scaled = round(fraction ? d * (double)TR__SUM_FRACTION : d);
    return fabs(scaled) < 9223372036854774784.0 ? (int64_t)scaled : TR_I64_NONE;
}

static double double_of(const struct tr__sum_values *v, struct tr_arg_value a)
{
    double d = NAN;
    if (a.type == TR_T_DOUBLE + 1)
        memcpy(&d, &a.v, sizeof d);
    else if (!tr_num_decimal(tr_dict_str(v->dict, (uint32_t)a.v), &d))
        d = NAN;
    return isfinite(d) ? d : NAN;
}

/* Does the value have a fraction? */
static bool is_fraction(const struct tr__sum_values *v, struct tr_arg_value a)
{
    if (a.type == TR_T_DECIMAL + 1)
        return times_ten(by_ten(tr_decimal_mantissa(a.v), tr_decimal_scale(a.v)), tr_decimal_scale(a.v)) !=
               tr_decimal_mantissa(a.v);
    if (a.type != TR_T_DOUBLE + 1 && a.type != TR_T_NUMBER + 1)
        return false;
    double d = double_of(v, a);
    return d != floor(d); /* nor does it have one if it is not a number */
}

/* The value in ones or millionths.  False: not a number; TR_I64_NONE: it does not fit. */
static bool number_of(const struct tr__sum_values *v, struct tr_arg_value a, int64_t *value)
{
    const unsigned digits = v->fraction ? 6 : 0;
    double d;
    switch (a.type - 1) {
    case TR_T_INT:
    case TR_T_QUOTED:
        *value = times_ten(a.v, digits);
        return true;
    case TR_T_UINT:
        *value = TR_I64_NONE;
        return true;
    case TR_T_DECIMAL: {
        unsigned scale = tr_decimal_scale(a.v);
        int64_t mantissa = tr_decimal_mantissa(a.v);
        *value = scale > digits ? by_ten(mantissa, scale - digits) : times_ten(mantissa, digits - scale);
        return true;
    }
    case TR_T_DOUBLE:
    case TR_T_NUMBER:
        d = double_of(v, a);
        *value = isnan(d) ? 0 : of_double(d, v->fraction);
        return !isnan(d);
    default:
        return false;
    }
}

static enum tr_status read_arg(struct tr__sum_values *v, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_arg_read(&v->arg, b, TR_PLACE_ARGS, v->options->arg))
        return tr_fail_memory(err);
    if (v->arg.cut)
        return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", v->options->arg);
    for (size_t i = 0; i < b->n && !v->fraction; i++)
        v->fraction = v->value[i] != TR_I64_NONE && is_fraction(v, tr_arg_at(&v->arg, i));
    for (size_t i = 0; i < b->n; i++) {
        int64_t value = TR_I64_NONE;
        if (v->value[i] == TR_I64_NONE)
            continue;
        if (number_of(v, tr_arg_at(&v->arg, i), &value) && value == TR_I64_NONE)
            v->lost++;
        v->value[i] = value;
    }
    return TR_OK;
}

/* ---- fields ---- */

/* The duration of a span or an async event within the window; TR_I64_NONE: it has none. */
static int64_t dur_of(const struct tr__sum_values *v, const struct tr_batch *b, size_t i)
{
    int64_t ts = b->ts[i], dur = b->dur[i];
    bool lasts = b->phase[i] == TR_SPAN || b->phase[i] == TR_ASYNC_BEGIN;
    if (!lasts || ts == TR_TIME_NONE || dur == TR_TIME_NONE)
        return TR_I64_NONE;
    if (b->suspect[i])
        dur = tr_group_by_suspect_dur(b, i);
    uint32_t source = b->dict->tracks[b->track[i]].source;
    return tr_select_clip(v->select, source, ts + dur) - tr_select_clip(v->select, source, ts);
}

/* The same without a window and suspect events. */
TR_WIDE
static void take_durations(const int64_t *ts, const int64_t *dur, const uint8_t *phase, size_t n,
                           int64_t *restrict value)
{
    for (size_t i = 0; i < n; i++) {
        bool lasts = (phase[i] == TR_SPAN) | (phase[i] == TR_ASYNC_BEGIN);
        bool has = lasts & (ts[i] != TR_TIME_NONE) & (dur[i] != TR_TIME_NONE) & (value[i] != TR_I64_NONE);
        value[i] = has ? dur[i] : TR_I64_NONE;
    }
}

static void read_durations(struct tr__sum_values *v, const struct tr_batch *b)
{
    bool windowed = v->select && tr_select_windowed(v->select);
    if (!windowed)
        take_durations(b->ts, b->dur, b->phase, b->n, v->value);
    for (size_t i = 0; i < b->n; i++)
        if (v->value[i] != TR_I64_NONE && (windowed || b->suspect[i]))
            v->value[i] = dur_of(v, b, i);
}

static bool read_queue(struct tr__sum_values *v, const struct tr_batch *b)
{
    if (!tr_grow(&v->launch_ts, &v->cap_ts, b->n, sizeof *v->launch_ts) ||
        !tr_grow(&v->launch_dur, &v->cap_launch_dur, b->n, sizeof *v->launch_dur))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, v->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, v->launch_dur);
    for (size_t i = 0; i < b->n; i++) {
        int64_t end = v->launch_ts[i], wait;
        if (end != TR_TIME_NONE && v->launch_dur[i] > 0)
            end = tr_time_sum(end, v->launch_dur[i]);
        wait = end == TR_TIME_NONE || b->ts[i] == TR_TIME_NONE ? TR_TIME_NONE : tr_time_diff(b->ts[i], end);
        v->value[i] = v->value[i] == TR_I64_NONE || wait < 0 ? TR_I64_NONE : wait;
    }
    return true;
}

enum tr_status tr__sum_values_batch(struct tr__sum_values *v, const struct tr_batch *b, const uint8_t *keep,
                                    struct tr_error *err)
{
    if (!tr_grow(&v->value, &v->cap, b->n, sizeof *v->value))
        return tr_fail_memory(err);
    int64_t *value = v->value;
    const bool suspect = v->suspect;
    for (size_t i = 0, n = b->n; i < n; i++)
        value[i] = (keep && !keep[i]) || (b->suspect[i] && !suspect) ? TR_I64_NONE : 0;
    switch (v->options->value) {
    case TR_SUM_OF_ARG:
        return read_arg(v, b, err);
    case TR_SUM_OF_QUEUE:
        return read_queue(v, b) ? TR_OK : tr_fail_memory(err);
    case TR_SUM_OF_EVENT:
        return TR_OK;
    default:
        if (v->options->value == TR_SUM_OF_SELF || v->options->field == TR_FIELD_DUR)
            read_durations(v, b);
        return TR_OK;
    }
}
