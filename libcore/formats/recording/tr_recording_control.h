/* SPDX-License-Identifier: MIT */
/* What tr-record and the recorder in a program agree on, beside the bytes of recordings. */
#ifndef TR_RECORDING_CONTROL_H
#define TR_RECORDING_CONTROL_H

#include <stddef.h>
#include <stdint.h>

/* The file by which tr-record pauses and resumes the programs of a session, which map it; its name in the folder. */
#define TR_REC_CONTROL "control"

/* Read and written by __atomic_ functions. */
struct tr_rec_control {
    uint32_t turn;     /* counts the changes: odd while recording is paused; TR_REC_STOPPED: it never resumes */
    uint32_t is_alone; /* not 0: what the program says of pauses does not count */
};
#define TR_REC_STOPPED UINT32_MAX

/* Digits at the start of a text; NULL: there are none, or the number is above those of ranks. */
static inline const char *tr_rec_digits(const char *p, uint64_t *v)
{
    const char *from = p;
    for (*v = 0; *p >= '0' && *p <= '9' && *v <= INT32_MAX; p++)
        *v = 10 * *v + (uint64_t)(*p - '0');
    return p > from && *v <= INT32_MAX ? p : NULL;
}

/* Is a rank in a list such as 0,3,8..15?  1: yes; 0: no; -1: it is no list. */
static inline int tr_rec_in_ranks(const char *list, uint64_t rank)
{
    uint64_t from, to;
    int has = 0;
    for (const char *p = list;; p++) {
        if (!(p = tr_rec_digits(p, &from)))
            return -1;
        to = from;
        if (p[0] == '.' && p[1] == '.' && !(p = tr_rec_digits(p + 2, &to)))
            return -1;
        if (to < from || (*p && *p != ','))
            return -1;
        has |= from <= rank && rank <= to;
        if (!*p)
            return has;
    }
}

#endif
