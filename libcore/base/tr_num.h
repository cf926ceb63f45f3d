/* SPDX-License-Identifier: MIT */
/*
 * Numbers that people write: the one parser for options and expressions.
 *
 * Strict: the whole text must be a decimal number, without blanks; nothing is cut off, wrapped or guessed.  The caller
 * gives the range, so the message can state it:
 *
 *     uint64_t n;
 *     if (tr_num_u64("12x", 1, 1024, &n, &err) != TR_OK)
 *         ...err.what is "'12x' is not a whole number from 1 to 1024"
 *
 * All functions return TR_OK, or TR_USAGE with err filled in and *value untouched.  They do not
 * depend on the locale and share no state.
 */
#ifndef TR_NUM_H
#define TR_NUM_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0", "+17", "-4" (the sign only where lo allows it); lo <= *value <= hi. */
enum tr_status tr_num_u64(const char *text, uint64_t lo, uint64_t hi, uint64_t *value,
                          struct tr_error *err);
enum tr_status tr_num_i64(const char *text, int64_t lo, int64_t hi, int64_t *value,
                          struct tr_error *err);

/* "0.95", "-3", "1e-6"; correctly rounded; neither infinities nor hexadecimal. */
enum tr_status tr_num_double(const char *text, double lo, double hi, double *value,
                             struct tr_error *err);

/*
 * The value of a decimal number as above, correctly rounded; infinite if it is too large.  For text
 * that comes from elsewhere than a user; strtod itself would read the locale's decimal point.
 * False, *value untouched: text is not such a number.
 */
bool tr_num_decimal(const char *text, double *value);

/*
 * The length of such a number at the front of a text: 6 for "-1.5e3us", 1 for "1..5", 0 for "x".  The text ends after
 * len bytes, or before at a zero byte.
 */
size_t tr_num_scan(const char *text, size_t len);

static inline bool tr_num_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Read the whole number without a sign at the front of a text of at most len bytes.  Returns how many digits it has; 0:
 * there is none, and *value is untouched.  A number above most becomes most, and *over (may be NULL) becomes true.
 */
size_t tr_num_digits(const char *text, size_t len, uint64_t most, uint64_t *value, bool *over);

/*
 * Read a whole number that is written as the programs print it: perhaps a minus, no leading zeros, not "-0", from
 * INT64_MIN to INT64_MAX.  False, *value untouched: the n bytes are not such a number.
 */
bool tr_num_plain(const char *text, size_t n, int64_t *value);

#define TR_NUM_HEX 24u
/*
 * The same of 0x and 1 to 15 hexadecimal digits, small letters, no leading zeros; and the text of such a number, which
 * ends with 0.  Returns its length.
 */
bool tr_num_plain_hex(const char *text, size_t n, int64_t *value);
size_t tr_num_print_hex(int64_t value, char text[TR_NUM_HEX]);

/*
 * The parts of a number as traces have them, regular or not: +1, 03, .5, 1. and "-1.-22", whose two parts both have
 * their sign.  Digits may be missing on one side of the point; an exponent has some.
 */
struct tr_num_parts {
    bool minus, plus, point, minus_fraction;
    const char *whole, *fraction, *exponent; /* exponent begins with e or E */
    size_t n_whole, n_fraction, n_exponent;
};
/* False: the len bytes do not resemble a number. */
bool tr_num_split(struct tr_num_parts *parts, const char *text, size_t len);

/* The value of the exponent of such parts, at most `most'; 0 if there is none. */
int64_t tr_num_exponent(const struct tr_num_parts *parts, uint64_t most);

/*
 * Write a finite number with the fewest of 15, 16 and 17 digits that tr_num_decimal reads back as v, with a
 * point in any locale ("0.1", "1.5e+300").
 */
#define TR_NUM_TEXT 48
void tr_num_print(double v, char text[TR_NUM_TEXT]);

/*
 * A size in bytes: "4096", "64K", "64KiB", "1.5GiB", "100MB".  K M G T and KiB MiB GiB TiB are
 * powers of 1024, kB (or KB) MB GB TB powers of 1000, B is a byte.  A fraction of a byte is
 * dropped.
 */
enum tr_status tr_num_size(const char *text, uint64_t lo, uint64_t hi, uint64_t *bytes,
                           struct tr_error *err);

/*
 * A time in ns: "30us", "1.5ms", "-2s".  Units ns us ms s min h; only 0 needs none.  A time
 * finer than a nanosecond is refused.
 */
enum tr_status tr_num_time(const char *text, int64_t lo, int64_t hi, int64_t *ns,
                           struct tr_error *err);

/*
 * The value of a unit by its name of len bytes: ns for times, bytes for sizes.  0: no such unit.
 * For parsers that split number and unit themselves.
 */
uint64_t tr_num_time_unit(const char *name, size_t len);
uint64_t tr_num_size_unit(const char *name, size_t len);

#ifdef __cplusplus
}
#endif
#endif
