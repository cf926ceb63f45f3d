/* Writing the kept text of a begin event again, and comparing times with the text they came from. */
#ifndef TR_CHROME_BEGIN_INT_H
#define TR_CHROME_BEGIN_INT_H

#include "formats/tr_viewer.h"

struct tr_chrome_begin {
    int64_t ts;               /* ns, as the file that is written counts */
    uint32_t source;
    struct tr_viewer *viewer; /* several sources: pid and ids are replaced; else NULL */
    uint64_t pid;             /* what replaces it */
};

/*
 * Append the JSON object text (valid, beginning with a brace): as it is, except for a ts that does not
 * agree with the given one, and for pid and bind_id in a file for viewers.
 * False: out of memory.
 */
bool tr__chrome_begin(const struct tr_chrome_begin *how, const char *text, size_t len,
                      struct tr_buf *out);

/*
 * Is this JSON number (or number in a string), in microseconds, ns nanoseconds up to rounding?  Forms with
 * an exponent are believed.
 */
bool tr__chrome_time_agrees(const char *text, size_t len, int64_t ns);

#endif
