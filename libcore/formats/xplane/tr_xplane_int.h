/* SPDX-License-Identifier: MIT */
/*
 * Inside of the reader of XPlane, the traces of JAX, TensorFlow and PyTorch/XLA.  Internal to libcore.
 *
 *   tr_xplane_read.c   the file: two walks
 *   tr_xplane_walk.c   a walk: planes with lines, lines with events
 *   tr_xplane_block.c  what it finds, for other threads
 *   tr_xplane_state.c  damage, texts and their numbers
 *   tr_xplane_line.c   lines of a plane, the tracks of events
 *   tr_xplane_workers.c   the second walk by several threads
 *   tr_xplane_plane.c  the metadata of a plane: names of events and of stats, and its own stats
 *   tr_xplane_event.c  events
 *   tr_xplane_event_template.c   events like one before them
 *   tr_xplane_args.c   their args
 *   tr_xplane_flow.c   their flows
 *   tr_xplane_flow_ends.c   the order of the ends of flows
 *   tr_xplane_parts.c  what of a message is not understood
 *   tr_xplane_hlo.c    programs of XLA: their instructions
 *   tr_xplane_shape.c  shapes of their results
 *   tr_xplane_group.c  the devices of a collective
 *   tr_xplane_cost.c   products of matrices, convolutions, attention
 *
 * In a plane, names come after events.  So the first walk reads names, and the second one passes on events.  Numbers of
 * fields: the published definitions of XSpace and of HloProto.
 */
#ifndef TR_XPLANE_INT_H
#define TR_XPLANE_INT_H

#include "base/tr_strtab.h"
#include "formats/common/tr_numbers_int.h"
#include "formats/common/tr_proto_read_int.h"
#include "formats/common/tr_window_int.h"
#include "ingest/tr_ingest_part_int.h"
#include "json/tr_json_tok.h"

#include <string.h>

/* ---- planes ---- */

/* The kind of a plane, by its name. */
enum tr__xplane_kind {
    TR__PLANE_OTHER,
    TR__PLANE_HOST,     /* threads of a process */
    TR__PLANE_GPU,      /* a line for each stream, and lines that a viewer derived from them */
    TR__PLANE_TPU,      /* a line of operations for each core, and lines derived from it */
    TR__PLANE_PROGRAMS, /* programs of XLA; no events */
    TR__PLANE_TASK,     /* when the profile was taken */
};

/* What the value of a stat is used for, in addition to an arg. */
enum tr__xplane_use {
    TR__STAT_ARG, TR__STAT_CORRELATION, TR__STAT_STEP, TR__STAT_KERNEL, TR__STAT_COPY, TR__STAT_MEMSET,
    TR__STAT_HLO_OP, TR__STAT_HLO_MODULE, TR__STAT_PROGRAM, TR__STAT_PROFILE_START, TR__STAT_CHIP,
    TR__STAT_MADE, TR__STAT_MADE_TYPE, TR__STAT_TAKEN, TR__STAT_TAKEN_TYPE, TR__STAT_FLOW
};

struct tr__xplane_stat {
    uint32_t name;    /* in strings; TR_NO_STR: only a value refers to this stat */
    uint32_t number;  /* as the builder numbered it; TR_NO_STR: not yet */
    uint8_t use;      /* enum tr__xplane_use */
    uint64_t last_event;    /* number of the last event that has it, from 1 */
};

/* What events of one kind have in common. */
struct tr__xplane_meta {
    uint32_t name;       /* in strings: the name that viewers show */
    uint32_t number;     /* as the builder numbered it; TR_NO_STR: not yet */
    uint32_t whole;      /* the full name if viewers show a shorter one, else TR_NO_STR */
    size_t stats, n_stats; /* place and length of its stats in blob: fields as in the file */
};

struct tr__xplane_line {
    int64_t id, start_ns;
    uint32_t name, display; /* in strings; TR_NO_STR: none */
};

struct tr__xplane {
    uint8_t kind;              /* enum tr__xplane_kind */
    int64_t device;            /* TR_I64_NONE: none */
    int64_t chip;              /* its number among the chips of all hosts; TR_I64_NONE: unknown */
    struct tr__numbers started;  /* numbers of kinds of event on its line of asynchronous operations */
    uint32_t name;             /* in strings; TR_NO_STR: none */
    uint32_t number;           /* as the builder numbered it; TR_NO_STR: not yet */
    struct tr__numbers meta_of, stat_of;
    struct tr__xplane_meta *metas;
    size_t n_metas, cap_metas;
    struct tr__xplane_stat *stats;
    size_t n_stats, cap_stats;
    struct tr_buf own; /* its own stats: fields as in the file */
};

/* Is it a device? */
static inline bool tr__xplane_on_device(const struct tr__xplane *p)
{
    return p->kind == TR__PLANE_GPU || p->kind == TR__PLANE_TPU;
}


/* A stat that an event, the kind of an event or a plane has. */
struct tr__xplane_value {
    struct tr__xplane_stat *stat; /* NULL: its name is not in the file */
    uint32_t field;               /* STAT_DOUBLE and the like; 0: no value */
    struct tr__proto value;
    struct tr__xplane_stat *ref_stat; /* NULL: none */
    uint32_t ref;                 /* of a value that is the name of a stat: its number in strings, or TR_NO_STR */
};

/* ---- programs of XLA ---- */

/* An instruction; texts in strings, TR_NO_STR: none. */
struct tr__hlo_instruction {
    uint32_t opcode;
    uint32_t type, dims;             /* of its result; dims are JSON */
    uint32_t in_types, in_dims;      /* of its operands, JSON */
    uint32_t groups;                 /* participants, JSON */
    uint32_t collective;             /* "all-reduce" and the like; "wait": it waits for one that has started */
    uint32_t sets;                   /* groups of devices of a collective, JSON */
    uint32_t element;                /* type of its elements; TR_NO_STR: they differ */
    int64_t elements;                /* of its operands; -1: unknown */
    uint32_t op_name;                /* the operation of the framework that it is for */
    uint32_t operation, values;      /* of tr__hlo_cost; TR_NO_STR: none */
};

/* A module, while it is read. */
struct tr__hlo_part {
    struct tr__numbers of;  /* maps ids of instructions to places in shapes */
    struct tr__hlo_shape {
        uint32_t type, dims;
        uint32_t element;    /* type of its elements; TR_NO_STR: they differ */
        int64_t elements;    /* -1: unknown */
        uint32_t collective; /* as in an instruction */
        uint32_t number;     /* the same for the same shape; TR_NO_STR: it is too long to be kept */
    } *shapes;
    size_t n_shapes, cap_shapes;
    struct tr__numbers bodies; /* maps ids of computations to the places of their first collective in instructions */
    struct tr__numbers costs;  /* the same for the only instruction with a cost */
    int64_t *assigned;         /* devices of participants; -1: unknown */
    size_t n_assigned, cap_assigned;
    struct tr_json_tokens tokens; /* of a backend config */
    uint64_t *ids; /* of a permutation */
    size_t cap_ids;
};

/* ---- the reader ---- */

/* What the second walk has found, for a helper that will pass it on. */
struct tr__xplane_found {
    uint64_t offset; /* of its field in the file */
    enum { TR__FOUND_EVENTS, TR__FOUND_LINE, TR__FOUND_DAMAGE } what;
    uint32_t n;      /* bytes of events; a line, from 0; an enum tr_damage_cause */
    uint32_t plane;  /* of a line, from 0 */
};

struct tr__xplane_block {
    size_t plane, line;  /* where it starts, from 1 */
    size_t step_plane;   /* as in the reader, after it */
    struct tr_buf bytes; /* of its events, one after the other: fields as in the file */
    size_t n_events;
    struct tr__xplane_found *found;
    size_t n, cap;
    bool no_memory;
};

enum { SPACE_PLANE = 1, LINE_EVENT = 4 }; /* fields of the file, of a line */

static inline bool tr__xplane_starts(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && memcmp(s.s, with, n) == 0;
}

#define TR__MAX_FOUND 65536u /* in a block: events, lines and damage */

/* Args of an instruction: keys in the order in which events have them. */
enum { TR__HLO_N_ARGS = 9 };

#define TR__LONGEST_KEPT_SHAPE 512u /* bytes of a shape, or of the numbers of shapes, that are kept */
#define TR__KEPT_BYTES ((size_t)4 << 20) /* of all of them */

enum { TR__XPLANE_DEPTH = 2 }; /* a plane is one level below the file, a line two */

struct tr__xplane_reader {
    struct tr__window w;
    struct tr_ingest *g; /* while the file is read */
    struct tr_error *err;
    size_t want, max_memory;
    bool second;         /* the second walk */
    bool lost;           /* the next plane must be searched */
    unsigned depth;
    uint64_t end[TR__XPLANE_DEPTH + 1]; /* offsets at which the plane and the line end */
    uint64_t skip;                      /* bytes to skip */
    struct tr_strtab *strings;
    struct tr_buf blob;
    size_t whole_planes; /* bytes kept for the planes before the last one */
    struct tr__xplane *planes;
    int64_t n_devices; /* planes of devices */
    size_t n_planes, cap_planes, plane; /* plane: the current one in the second walk, from 1; lines, too */
    struct tr__xplane_line *lines;
    size_t n_lines, cap_lines, line;
    uint64_t n_events, n_work, n_with_op; /* events; work of GPUs; work of GPUs with its XLA operation */
    struct tr__xplane_place {
        const struct tr__xplane_line *line; /* NULL: none */
        struct tr_ingest_track track;
        bool ran, has_steps; /* its events are device work; steps of a device */
    } place;                        /* of the line whose events are being passed on */
    uint64_t n_marks;               /* events, and those of all pieces before */
    struct tr__xplane_block *block; /* where the second walk puts what it finds; NULL: it passes it on at once */
    size_t piece_bytes;             /* of events in a block */
    bool more;                      /* the window has no whole field */
    bool is_helper;                 /* it passes on what is in blocks */
    struct tr_buf own_ends;         /* struct tr__xplane_flow_end: where flows touch its events, until they are taken */
    bool has_base;
    int64_t base;
    uint32_t host; /* in strings; TR_NO_STR: none */
    bool has_steps; /* the host marks steps */
    size_t step_plane; /* else the plane whose line of steps is used, from 1; 0: none */
    struct tr__xplane_flow_ends *flows; /* where flows touch events; NULL: none */
    struct tr__xplane_flow_end *ends; /* of the flow that is passed on: its start, and the last; NULL: not started */
    unsigned n_ends;
    struct tr__xplane_flow_templates *flow_templates;
    bool ended; /* all events are passed on */
    const char *temp_dir;
    /* programs */
    struct tr_strtab *places;       /* (program, name) of instructions, with the same numbers */
    struct tr_strtab *modules;      /* names of modules, with the numbers of programs */
    struct tr__hlo_instruction *instructions;
    size_t n_instructions, cap_instructions;
    int64_t *programs;
    size_t n_programs, cap_programs;
    struct tr__hlo_part part;
    struct tr_strtab *shapes, *operand_lists; /* as in the file; numbers of shapes of operands */
    struct tr__hlo_shape *shape_of;           /* by number in shapes */
    struct tr__hlo_operands {
        uint32_t dims, types, element; /* in_dims, in_types and element of an instruction */
        int64_t elements;
    } *operands_of;                    /* by number in operand_lists */
    size_t cap_shape_of, cap_operands_of;
    struct tr_side_table *table; /* NULL: none, or too large */
    bool table_too_large;
    struct tr_buf text, text2, json;
    uint32_t keys[TR__HLO_N_ARGS];  /* of args of instructions, as the builder numbered them, + 1; 0: not yet */
    uint32_t *numbers[2];           /* by string: its number as a text and as JSON, + 1; 0: not yet */
    size_t cap_numbers[2], n_numbers[2];
    struct tr__xplane_value *values; /* of the present event */
    size_t n_values, cap_values;
    size_t n_own_values;             /* the first of them, from the event itself, not from its kind */
    struct tr__xplane_event_templates *templates;  /* NULL: none yet */
    const char *name; /* of the input */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

bool tr__xplane_no_memory(struct tr__xplane_reader *r); /* says so; false */

/* The number of a text, which is made valid UTF-8; TR_NO_STR: out of memory. */
uint32_t tr__xplane_string(struct tr__xplane_reader *r, const unsigned char *p, size_t n);

static inline struct tr_str tr__xplane_str(const struct tr__xplane_reader *r, uint32_t id)
{
    if (id == TR_NO_STR)
        return (struct tr_str){ NULL, 0 };
    return (struct tr_str){ tr_strtab_get(r->strings, id), tr_strtab_len(r->strings, id) };
}

/* The number that the builder gave to a text, kept in *number. */
uint32_t tr__xplane_number(struct tr__xplane_reader *r, uint32_t id, uint32_t *number);

/* Damage of this format alone. */
enum tr__xplane_damage { TR__LOST_NAME, TR__BAD_STAT, TR__BAD_PART, TR__UNKNOWN_FIELD, TR__N_XPLANE_DAMAGES };
void tr__xplane_damaged(struct tr__xplane_reader *r, enum tr__xplane_damage d);

/* ---- what is not understood ---- */

enum tr__xplane_doubt {
    TR__DOUBT_PART = 1, /* it is no message up to its end, or a field is not written as it should be */
    TR__DOUBT_FIELD = 2 /* a field is not known */
};
/* Of a field in the file (depth 0), a plane (1) or a line (2).  Not of what is in it. */
unsigned tr__xplane_doubt_field(unsigned depth, const struct tr__proto *m);
/* Count each of these doubts as damage. */
void tr__xplane_doubted(struct tr__xplane_reader *r, unsigned doubts);
enum tr__xplane_message { TR__ENTRY_KIND, TR__ENTRY_NAME, TR__ENTRY_PROGRAM };
/* Count what is not understood in an entry of a plane. */
void tr__xplane_look_at(struct tr__xplane_reader *r, enum tr__xplane_message what, struct tr__proto m);

/* ---- names: false is out of memory ---- */

/* Add a plane; read its kind from its name when the name comes. */
bool tr__xplane_add(struct tr__xplane_reader *r);
bool tr__xplane_named(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto text);
bool tr__xplane_meta(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto entry);
bool tr__xplane_stat(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto entry);
/* All names are known: take what the planes say about the trace. */
bool tr__xplane_names_end(struct tr__xplane_reader *r);
void tr__xplane_free(struct tr__xplane *p);
size_t tr__xplane_bytes(const struct tr__xplane *p);

enum {
    STAT_NAME = 1, STAT_DOUBLE = 2, STAT_UINT = 3, STAT_INT = 4, STAT_TEXT = 5, STAT_BYTES = 6, STAT_REF = 7,
    STAT_COMPRESSED = 8
};
/* The same of a field in a stat. */
static inline unsigned tr__xplane_doubt_stat(const struct tr__proto *m)
{
    static const uint8_t wires[] = {
        [STAT_NAME] = TR__WIRE_VARINT,  [STAT_DOUBLE] = TR__WIRE_64,  [STAT_UINT] = TR__WIRE_VARINT,
        [STAT_INT] = TR__WIRE_VARINT,   [STAT_TEXT] = TR__WIRE_BYTES, [STAT_BYTES] = TR__WIRE_BYTES,
        [STAT_REF] = TR__WIRE_VARINT,   [STAT_COMPRESSED] = TR__WIRE_BYTES,
    };
    return m->field > STAT_COMPRESSED ? TR__DOUBT_FIELD : m->wire == wires[m->field] ? 0u : TR__DOUBT_PART;
}

/* Read a stat.  The result: what is not understood in it; with TR__DOUBT_PART, it cannot be used. */
unsigned tr__xplane_value(const struct tr__xplane *p, struct tr__proto stat, struct tr__xplane_value *v);

/* ---- events ---- */

/* In the first walk: is this a line of asynchronous operations?  Then note the kind of each event on it. */
bool tr__xplane_runs_aside(const struct tr__xplane_reader *r, const struct tr__xplane_line *line);
bool tr__xplane_started(struct tr__xplane_reader *r, struct tr__proto event); /* false: out of memory */
/* In the second walk: may the name of an event on this line say which plane has the steps?  Then note that. */
bool tr__xplane_seeks_steps(const struct tr__xplane_reader *r, const struct tr__xplane *p,
                            const struct tr__xplane_line *line);
void tr__xplane_note_steps(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                           struct tr__proto event);
/* TR_OK; TR_END: it cannot be read; TR_SYSTEM. */
enum tr_status tr__xplane_event(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                                struct tr__proto event);
void tr__xplane_event_templates_free(struct tr__xplane_event_templates *f);
/* Name the process and the thread of a line. */
bool tr__xplane_ran(const struct tr__xplane *p, struct tr_str line); /* does a line of a device have device work? */
void tr__xplane_name_line(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line);

/* Pass on some of the flows.  TR_OK: there are more; TR_END; TR_SYSTEM. */
enum tr_status tr__xplane_emit_flows(struct tr__xplane_reader *r);
void tr__xplane_flows_free(struct tr__xplane_reader *r);
/* Put those that a helper has found in order.  Then the whole takes them; its records count from first_record. */
void tr__xplane_order_flows(struct tr__xplane_reader *helper);
enum tr_status tr__xplane_take_flows(struct tr__xplane_reader *r, struct tr__xplane_reader *helper,
                                     uint64_t first_record, struct tr_error *err);

/* ---- several threads ---- */

/* The second walk.  TR_OK, or a failure. */
enum tr_status tr__xplane_workers(struct tr__xplane_reader *r, struct tr_error *err);
/* Go on, up to the end of the window, or of the block if there is one.  TR_OK; TR_END: the file is read; TR_SYSTEM. */
enum tr_status tr__xplane_walk(struct tr__xplane_reader *r);
/* Can p[0 .. n) start a plane? */
bool tr__xplane_plausible(const unsigned char *p, size_t n);
static inline bool tr__xplane_block_full(const struct tr__xplane_reader *r)
{
    return r->block->bytes.len >= r->piece_bytes || r->block->n + r->block->n_events >= TR__MAX_FOUND ||
           r->block->no_memory;
}
/* Put what the walk finds into the block; events are whole fields, at the place of the window. */
bool tr__xplane_find_events(struct tr__xplane_reader *r, size_t n_events, size_t bytes); /* false: out of memory */
void tr__xplane_find_line(struct tr__xplane_reader *r);
void tr__xplane_find_damage(struct tr__xplane_reader *r, enum tr_damage_cause cause);

/* ---- programs ---- */

enum { TR__INSTRUCTION_GROUP = 49, TR__INSTRUCTION_PAIR = 52, TR__INSTRUCTION_DEVICES = 87 };

/* A program: its id, its name and an HloProto.  False: out of memory. */
bool tr__hlo_program(struct tr__xplane_reader *r, int64_t id, struct tr_str name, struct tr__proto hlo);
/* An instruction of a program, or of the first module of this name (program TR_I64_NONE); NULL: there is none. */
const struct tr__hlo_instruction *tr__hlo_find(struct tr__xplane_reader *r, int64_t program, struct tr_str module,
                                               struct tr_str name);

/*
 * The number of a text in one of r->shapes and r->operand_lists, which gets it if there is room; TR_NO_STR: it is not
 * there.
 */
uint32_t tr__hlo_keep(struct tr__xplane_reader *r, struct tr_strtab *of, const void *text, size_t len);
/* The shape of a result; false: out of memory. */
bool tr__hlo_shape(struct tr__xplane_reader *r, struct tr__proto shape, struct tr__hlo_shape *s);
/* Of an instruction; false: out of memory.  devices: groups of devices, also of a permutation; else as in the file. */
bool tr__hlo_groups(struct tr__xplane_reader *r, struct tr__proto instruction, bool devices, uint32_t *to);
/* Read which devices a module runs on. */
bool tr__hlo_assign(struct tr__xplane_reader *r, struct tr__proto assignment);

/* An instruction: dims and type of its result, and its fields. */
struct tr__hlo_cost_in {
    struct tr_str opcode, target, backend;
    uint32_t dims, type;
    struct tr__proto whole;
};
/* "xla::gemm" and the like, and its values, JSON; TR_NO_STR: none.  False: out of memory. */
bool tr__hlo_cost(struct tr__xplane_reader *r, const struct tr__hlo_cost_in *in, uint32_t *operation, uint32_t *values);

void tr__hlo_free(struct tr__xplane_reader *r);
size_t tr__hlo_bytes(const struct tr__xplane_reader *r);

#endif
