/* SPDX-License-Identifier: MIT */
/*
 * Numbers that people write: the one parser for options and expressions.
 *
 * The parser is strict.  The whole text must be a decimal number without blanks.  A number outside the range is an
 * error; it is never wrapped or limited.  The caller gives the range, and the message contains it:
 *
 *     uint64_t n;
 *     if (tr_num_u64("12x", 1, 1024, &n, &err) != TR_OK)
 *         ...err.what is "'12x' is not a whole number from 1 to 1024"
 *
 * Functions with err return TR_OK, or TR_USAGE with err filled in and *value unchanged.  No function depends on the
 * locale, or has shared state.
 */
#ifndef TR_NUM_H
#define TR_NUM_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0", "+17", "-4" (a minus only if lo allows it); lo <= *value <= hi. */
enum tr_status tr_num_u64(const char *text, uint64_t lo, uint64_t hi, uint64_t *value,
                          struct tr_error *err);
enum tr_status tr_num_i64(const char *text, int64_t lo, int64_t hi, int64_t *value,
                          struct tr_error *err);

/* "0.95", "-3", "1e-6"; correctly rounded; no infinities, no hexadecimal digits. */
enum tr_status tr_num_double(const char *text, double lo, double hi, double *value,
                             struct tr_error *err);

/*
 * The value of a decimal number as above, correctly rounded; infinite if it is too large.  For text that does not come
 * from a user.  It replaces strtod, which uses the decimal point of the locale.
 * False: text is not such a number, and *value does not change.
 */
bool tr_num_decimal(const char *text, double *value);

/*
 * The length of such a number at the start of a text: 6 for "-1.5e3us", 1 for "1..5", 0 for "x".  The text ends after
 * len bytes, or earlier at a zero byte.
 */
size_t tr_num_scan(const char *text, size_t len);

static inline bool tr_num_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Read a whole number without a sign at the start of a text of at most len bytes.  Returns its number of digits; 0:
 * there is no number, and *value does not change.  A number larger than most becomes most, and *over (may be NULL)
 * becomes true.
 */
size_t tr_num_digits(const char *text, size_t len, uint64_t max, uint64_t *value, bool *over);

/*
 * Read a whole number in the form in which the programs print it: an optional minus, no leading zeros, not "-0", from
 * INT64_MIN to INT64_MAX.  False: the n bytes are not such a number, and *value does not change.
 */
bool tr_num_plain(const char *text, size_t n, int64_t *value);

#define TR_NUM_HEX 24u
/*
 * The same for 0x and 1 to 15 hexadecimal digits, with small letters and no leading zeros.  And the text of such a
 * number, which ends with a zero byte; returns its length.
 */
bool tr_num_plain_hex(const char *text, size_t n, int64_t *value);
size_t tr_num_print_hex(int64_t value, char text[TR_NUM_HEX]);

/*
 * The parts of a number in a trace, which may be irregular: +1, 03, .5, 1. and "-1.-22", in which both parts have a
 * sign.  Digits may be missing on one side of the point; an exponent has at least one digit.
 */
struct tr_num_parts {
    bool minus, plus, point, minus_fraction;
    const char *whole, *fraction, *exponent; /* exponent starts with e or E */
    size_t n_whole, n_fraction, n_exponent;
};
/* False: the len bytes do not resemble a number. */
bool tr_num_split(struct tr_num_parts *parts, const char *text, size_t len);

/* The value of the exponent of these parts, limited to `max'; 0 if there is none. */
int64_t tr_num_exponent(const struct tr_num_parts *parts, uint64_t max);

/*
 * Write a finite number with the fewest of 15, 16 and 17 digits that tr_num_decimal reads back as v, with a
 * point in any locale ("0.1", "1.5e+300").
 */
#define TR_NUM_TEXT 48
void tr_num_print(double v, char text[TR_NUM_TEXT]);

/*
 * A size in bytes: "4096", "64K", "64KiB", "1.5GiB", "100MB".  K M G T and KiB MiB GiB TiB are powers of 1024; kB (or
 * KB) MB GB TB are powers of 1000; B is a byte.  A fraction of a byte is rounded down.
 */
enum tr_status tr_num_size(const char *text, uint64_t lo, uint64_t hi, uint64_t *bytes,
                           struct tr_error *err);

/*
 * A time in ns: "30us", "1.5ms", "-2s".  Units are ns us ms s min h; only 0 may have no unit.  A time with a fraction
 * of a nanosecond is refused.
 */
enum tr_status tr_num_time(const char *text, int64_t lo, int64_t hi, int64_t *ns,
                           struct tr_error *err);

/*
 * The value of the unit with this name of len bytes: in ns for times, in bytes for sizes.  0: there is no such unit.
 * For parsers that split number and unit themselves.
 */
uint64_t tr_num_time_unit(const char *name, size_t len);
uint64_t tr_num_size_unit(const char *name, size_t len);

#ifdef __cplusplus
}
#endif
#endif
