/* SPDX-License-Identifier: MIT */
/*
 * Status and error values: how the functions of libcore report failures.
 *
 * libcore never prints and never exits.  A function that can fail returns an enum tr_status and takes a struct tr_error
 * as its last parameter.  On failure it fills in the error; its caller passes the error on, or adds the place.  The
 * frame of the programs prints it as one line:
 *
 *     PROGRAM: INPUT: PLACE: WHAT: SYSTEM REASON
 *
 *     struct tr_error err = TR_ERROR_INIT;
 *     if (tr_reader_next(r, &batch, &err) == TR_DAMAGED)
 *         report(err.input, err.place, err.what);
 *
 * A struct tr_error is a plain value: it may be copied, and is not released.
 *
 * The folder base has what everything uses.  Central: struct tr_error (here), struct tr_buf (tr_mem.h), struct
 * tr_strtab, struct tr_hash_index (tr_hash.h), struct tr_u128 (tr_int128.h).
 */
#ifndef TR_STATUS_H
#define TR_STATUS_H

#include "tracepipe.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* enum tr_status, tr_fail and tr_fail_memory are in tracepipe.h. */
struct tr_error {
    enum tr_status status; /* TR_OK: no failure */
    int sys_errno;         /* 0, or the errno that belongs to this failure */
    char input[512];       /* name of the input or output, "" if none */
    char place[128];       /* the place in it ("block 17, byte 1912340"), "" if unknown */
    char what[640];        /* the failure, in lower case, without a full stop */
};

#define TR_ERROR_INIT { TR_OK, 0, "", "", "" }

/*
 * As tr_fail for a failed system call: status TR_SYSTEM, with errno_value as the reason.  err may be NULL.
 * Input and place do not change.
 */
enum tr_status tr_fail_sys(struct tr_error *err, int errno_value, const char *fmt, ...)
    TR_PRINTF(3, 4);

/* Set the input, or the place in it, unless an inner function has already set it. */
void tr_error_input(struct tr_error *err, const char *input);
void tr_error_place(struct tr_error *err, const char *fmt, ...) TR_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif
