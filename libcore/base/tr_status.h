/* SPDX-License-Identifier: MIT */
/*
 * Status and error values: how every function of libcore reports what went wrong.
 *
 * libcore never prints and never exits.  A function that can fail returns an enum tr_status and takes
 * a struct tr_error as its last parameter; on failure it fills that in and its caller passes it on
 * unchanged or adds the place.  The program's frame turns it into the one line a user sees:
 *
 *     PROGRAM: INPUT: PLACE: WHAT: SYSTEM REASON
 *
 *     struct tr_error err = TR_ERROR_INIT;
 *     if (tr_reader_next(r, &batch, &err) == TR_DAMAGED)
 *         report(err.input, err.place, err.what);
 *
 * A struct tr_error is a plain value: no ownership, may be copied, needs no release.
 */
#ifndef TR_STATUS_H
#define TR_STATUS_H

#include "tracepipe.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* enum tr_status, tr_fail and tr_fail_memory stand in tracepipe.h. */
struct tr_error {
    enum tr_status status; /* TR_OK while nothing went wrong */
    int sys_errno;         /* 0, or the errno that belongs to this failure */
    char input[512];       /* name of the input or output concerned, "" if none */
    char place[128];       /* where in it ("block 17, byte 1912340"), "" if unknown */
    char what[640];        /* what is wrong, lower case, no full stop */
};

#define TR_ERROR_INIT { TR_OK, 0, "", "", "" }

/*
 * As tr_fail for a failed system call: status TR_SYSTEM, and errno_value kept as the reason.  err may be NULL.
 * Input and place are kept as they are.
 */
enum tr_status tr_fail_sys(struct tr_error *err, int errno_value, const char *fmt, ...)
    TR_PRINTF(3, 4);

/* Name the input, or the place in it, unless an inner function has already done so. */
void tr_error_input(struct tr_error *err, const char *input);
void tr_error_place(struct tr_error *err, const char *fmt, ...) TR_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif
