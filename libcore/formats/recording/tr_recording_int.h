/* SPDX-License-Identifier: MIT */
/* The reader of recordings: what its two files share.  Internal to libcore. */
#ifndef TR_RECORDING_INT_H
#define TR_RECORDING_INT_H

#include "base/tr_str.h"
#include "formats/common/tr_numbers_int.h"
#include "formats/recording/tr_recording.h"
#include "ingest/tr_ingest.h"

/* An arg of an event. */
struct tr__rec_arg {
    uint32_t key;   /* number of the text */
    uint8_t type;   /* enum tr_rec_value; a text is TR_REC_TEXT_NAME */
    uint64_t value; /* a text, or a list as JSON: its number in the builder */
};

struct tr__rec_args {
    struct tr__rec_arg *v;
    size_t n, cap;
};

/* An event that is not complete. */
struct tr__rec_event {
    uint8_t type; /* TR_REC_BEGIN, _MARK, _COUNTER, _OPEN, _WORK; 0: none */
    uint8_t api;
    bool early;   /* before the events that count */
    uint32_t name, domain; /* numbers of texts in the builder; TR_NO_STR: none */
    int64_t ts;
    uint64_t key;          /* for TR_REC_ARG_OF; 0: none */
    uint64_t record;       /* of an open span that overlaps others: its id */
    int64_t pid, tid;
    int64_t dur;          /* of work */
    uint32_t device, queue;
    int64_t correlation;  /* of work and of its launch, in the source; TR_I64_NONE: none */
    struct tr__rec_args args;
};

struct tr__rec_events {
    struct tr__rec_event *v;
    size_t n, cap;
};

struct tr__rec_thread {
    uint64_t start, number; /* of the process, in the process */
    int64_t pid, tid;
    uint32_t process;            /* 0, 1, ... in the order of their first blocks */
    uint32_t block;              /* the last that was read */
    uint32_t cut;                /* a block that was left out, because it was not whole; 0: none */
    uint32_t lost;
    struct tr__rec_events open;  /* from the outermost */
    struct tr__rec_event pending; /* the last record, which args may follow */
};

/* The records of a block. */
struct tr__rec_block {
    const unsigned char *p; /* the first record */
    size_t n;               /* bytes of all */
    uint64_t offset;        /* of the first in the input */
    int64_t zero;
};

struct tr__rec_name {
    uint32_t number;    /* in the builder; TR_NO_STR: none */
    struct tr_str text; /* in the block */
};

struct tr__rec_records {
    struct tr__rec_name *names; /* of the block */
    size_t n_names, cap_names;
    struct tr__rec_events overlapped;
    uint32_t *free;                   /* places of those that have ended */
    size_t n_free, cap_free;
    struct tr__numbers overlapped_of; /* by api and key */
    uint64_t record;
    char **devices; /* names of devices by their number; NULL: not known */
    size_t n_devices, cap_devices;
    int64_t first; /* events that end before do not count; 0: all count */
    struct tr_ingest *g;
    struct tr_error *err;
};

static inline uint64_t tr__rec_u64(const unsigned char *p)
{
    uint64_t v = 0;
    for (unsigned i = 8; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static inline uint32_t tr__rec_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline unsigned tr__rec_u16(const unsigned char *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

/* All records of a block of a thread; NULL: of one about its process.  TR_OK, or a failure. */
enum tr_status tr__rec_block_read(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                                  int64_t pid);
/* No more of the thread will come, or blocks of it are missing: its open spans have no end. */
enum tr_status tr__rec_thread_end(struct tr__rec_records *r, struct tr__rec_thread *t);
/* The same for spans that overlap others. */
enum tr_status tr__rec_overlapped_end(struct tr__rec_records *r);
/* All was read: what is known of devices. */
enum tr_status tr__rec_devices_end(struct tr__rec_records *r);
void tr__rec_thread_free(struct tr__rec_thread *t);
void tr__rec_records_free(struct tr__rec_records *r);

#endif
