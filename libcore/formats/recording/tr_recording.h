/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a recording, which the recorder in a watched program writes (contrib/capture), and tr-parse reads.
 *
 * Why not a stream: a stream needs all names, tracks and counts before its first event, and a program that is killed
 * cannot write them.  So each process writes what costs it little, and the reader does the rest.
 *
 * A recording is a sequence of blocks, each with a head.  A block holds records of one thread, in order, and needs no
 * other block: it has the names that its records use.  So blocks may be lost, and files of several processes may be
 * joined with cat(1).  The same block may occur twice, once from the file that a process appended it to, once from the
 * memory that it shares with a file, which is left if it was killed; its number is the same.  All numbers are
 * little-endian.
 *
 * A record is one or more words of 8 bytes.  The first word:
 *
 *     byte 0     type          bytes 2, 3   number of words    bytes 6, 7   aux: domain, or type of a value
 *     byte 1     api           bytes 4, 5   name
 *
 * The second word is the time in ns, of a clock whose time 0 the head says; records without a time say what it is.
 * Names and domains are numbers of texts that a TR_REC_NAME before it in the block defines; TR_REC_NO_NAME: none.
 */
#ifndef TR_RECORDING_H
#define TR_RECORDING_H

#include <stdint.h>

#define TR_REC_MAGIC   "\211trcrec1"
#define TR_REC_BYTES   65536u /* of a block that is being written */
#define TR_REC_HEAD    56u    /* bytes of a head */
#define TR_REC_NO_NAME 0xffffu
#define TR_REC_TEXT    4096u /* bytes of a text; what is longer is cut */
#define TR_REC_NUMBERS 256u  /* of a list */

/* Offsets in a head. */
enum {
    TR_REC_AT_MAGIC = 0,
    TR_REC_AT_SIZE = 8,    /* 4 bytes: from this head to the next one, a multiple of 8 */
    TR_REC_AT_USED = 12,   /* 4 bytes: of records, behind the head; the rest is not used */
    TR_REC_AT_NUMBER = 16, /* 4 bytes: of the block, in its thread: 1, 2, ... */
    TR_REC_AT_LOST = 20,   /* 4 bytes: blocks that the thread could not write up to this one */
    TR_REC_AT_PID = 24,    /* 4 bytes */
    TR_REC_AT_TID = 28,    /* 4 bytes; 0: the block is about the process */
    TR_REC_AT_START = 32,  /* 8 bytes: start of the recording of this process, ns of the clock */
    TR_REC_AT_ZERO = 40,   /* 8 bytes: time 0 of the clock, ns since 1970 */
    TR_REC_AT_THREAD = 48, /* 8 bytes: number of the thread in its process, as numbers of the system are used again */
};

enum tr_rec_type {
    TR_REC_NONE = 0,    /* does not occur */
    TR_REC_NAME = 1,    /* name: its number; second word: bytes of the text; then the text, padded with zeros */
    TR_REC_BEGIN = 2,   /* a span begins, inside of those that are open in its thread */
    TR_REC_END = 3,     /* the innermost open span of this api and domain ends */
    TR_REC_OPEN = 4,    /* a span begins that may overlap others; third word: a key, unique while it is open */
    TR_REC_CLOSE = 5,   /* the span of this api and key ends, in any thread */
    TR_REC_MARK = 6,    /* an instant */
    TR_REC_COUNTER = 7, /* third word: value; fourth: its enum tr_rec_value */
    TR_REC_ARG = 8,     /* an arg; name: its key, aux: enum tr_rec_value; second word: the value, or bytes of a text */
    TR_REC_ARG_OF = 9,  /* the same, but the second word is the key of the open span it is for; 0: the innermost */
    TR_REC_THREAD = 10, /* the name of the thread */
    TR_REC_ID = 11,     /* second word: key of the span before it, by which TR_REC_ARG_OF finds it */
    TR_REC_HOST = 12,   /* in a block about the process: the name of its machine */
    TR_REC_PROCESS = 13, /* the same: the name of the process */
    TR_REC_RANK = 14,   /* the same: second word: its rank */
    TR_REC_FIRST = 15, /* the same: second word: events that end before this time, ns since 1970, do not count */
    TR_REC_WORK = 16,  /* a span of a device's queue; aux: name of the device; third word: ns that it takes; fourth:
                          numbers of queue and device in the process, 4 bytes each; fifth: its correlation */
    TR_REC_LAUNCH = 17, /* second word: correlation of the innermost open span, a call that gave work to a device */
    TR_REC_AFTER = 18, /* correlations of work that the work before it waited for, a word each */
    TR_REC_N_TYPES
};

/*
 * An arg belongs to the record before it in the thread, without args and names between them: to the mark, the counter,
 * the work, the open or the begun span.  After another record, it belongs to the innermost open span.
 */
enum tr_rec_value {
    TR_REC_INT = 0,
    TR_REC_UINT = 1,
    TR_REC_REAL = 2, /* bits of a double */
    TR_REC_STRING = 3, /* second word: bytes of the text; then the text, padded with zeros */
    TR_REC_TEXT_NAME = 4, /* second word: number of a name */
    TR_REC_LIST = 5, /* second word: how many numbers; then these, a word each */
    TR_REC_N_VALUES
};

enum tr_rec_api {
    TR_REC_OWN = 0, /* of the recorder itself */
    TR_REC_ITT = 1,
    TR_REC_NVTX = 2,
    TR_REC_ROCTX = 3,
    TR_REC_MPI_P2P = 4,
    TR_REC_MPI_COLLECTIVE = 5,
    TR_REC_MPI_WAIT = 6,
    TR_REC_MPI_OTHER = 7,
    TR_REC_ONECCL = 8, /* a domain of ITT whose tasks are collectives */
    TR_REC_OPENCL = 9, /* calls; the next ones: work of devices, and waits for it */
    TR_REC_KERNEL = 10,
    TR_REC_COPY = 11,
    TR_REC_MEMSET = 12,
    TR_REC_SYNC = 13,
    TR_REC_N_APIS
};

#endif
