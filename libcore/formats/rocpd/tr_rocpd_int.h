/* SPDX-License-Identifier: MIT */
/*
 * Reader of rocpd, the SQLite databases of rocprofv3 and rocprof-sys: what its files share.  Internal to libcore.
 *
 *   tr_rocpd.c         the format; a process's tables after those of another
 *   tr_rocpd_about.c   processes, threads, agents, kernels, counters: what rows refer to
 *   tr_rocpd_rows.c    rows that become events
 *
 * Each process has written its own tables, with its own suffix after their names; a merged file has those of several
 * processes, whose numbers are other ones.  They are read one process after the other.
 */
#ifndef TR_ROCPD_INT_H
#define TR_ROCPD_INT_H

#include "formats/tables/tr_tables_int.h"

enum tr__rocpd_key {
    TR__ROCPD_DEVICE, TR__ROCPD_STREAM, TR__ROCPD_CORRELATION, TR__ROCPD_EXTERNAL, TR__ROCPD_GRID, TR__ROCPD_BLOCK,
    TR__ROCPD_GRID_SIZE, TR__ROCPD_DISPATCH, TR__ROCPD_AGENT, TR__ROCPD_STREAM_ID, TR__ROCPD_THREAD,
    TR__ROCPD_PRIVATE, TR__ROCPD_GROUP, TR__ROCPD_RENAMED, TR__ROCPD_BYTES, TR__ROCPD_OPERATION, TR__ROCPD_SRC,
    TR__ROCPD_DST, TR__ROCPD_MEMORY, TR__ROCPD_ADDR, TR__ROCPD_DEVICE_TYPE, TR__ROCPD_DEVICE_ID, TR__ROCPD_VALUE,
    TR__ROCPD_N_KEYS
};

/* What a call of a category is. */
enum tr__rocpd_kind { TR__ROCPD_CALL, TR__ROCPD_HSA, TR__ROCPD_MARKER, TR__ROCPD_OTHER };

/* A counter of a dispatch. */
struct tr__rocpd_value {
    int64_t event;
    uint32_t name, order;
    double value;
};

struct tr__rocpd {
    struct tr__tables *t;
    size_t set, table; /* number of the process's tables; the place from which those of the next are looked for */
    bool hosted;        /* the host is known */
    struct tr__scan events, tracks, samples; /* rows by number */
    struct tr__numbers threads;    /* id to tid */
    struct tr__numbers agents;     /* id to number of the GPU, or TR__ROCPD_CPU */
    struct tr__numbers kernels;    /* id to number of the name */
    struct tr__numbers counters;   /* id to number of the name */
    struct tr__numbers counted_on; /* id of a counter to its agent */
    struct tr__numbers categories; /* id to a place in the list */
    struct tr__rocpd_category {
        enum tr__rocpd_kind kind;
        uint32_t name;
    } *list;
    size_t n_list, cap_list;
    struct tr__rocpd_value *values;
    size_t n_values, cap_values;
    struct tr__numbers memory_of; /* address to a place in the list of memory */
    struct tr__rocpd_memory {
        int64_t bytes, agent;
    } *memory;
    size_t n_memory, cap_memory;
};

#define TR__ROCPD_CPU 0xfffffffeu

/* What a row refers to, with its process's tables.  TR_OK, or a failure. */
enum tr_status tr__rocpd_about(struct tr__rocpd *r);
void tr__rocpd_forget(struct tr__rocpd *r); /* that of the tables before */
/* The process of the number that a row gives.  NULL: failed. */
struct tr__tables_process *tr__rocpd_process(struct tr__rocpd *r, int64_t id);
/* The category of a number.  TR_OK, or a failure. */
enum tr_status tr__rocpd_category(struct tr__rocpd *r, int64_t id, struct tr__rocpd_category *category);
/* The counters of an event, *n. */
const struct tr__rocpd_value *tr__rocpd_values(const struct tr__rocpd *r, int64_t event, size_t *n);

extern const struct tr__tables_table tr__rocpd_region, tr__rocpd_sample, tr__rocpd_dispatch, tr__rocpd_copy,
    tr__rocpd_allocate, tr__rocpd_hip_event, tr__rocpd_operation, tr__rocpd_counter;

#endif
