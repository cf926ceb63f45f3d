/* SPDX-License-Identifier: MIT */
/*
 * Fields of events by name, for writers that show some of them: "ts,dur,rank,args.correlation".
 *
 *   rank source record          which event: source number and index in that source
 *   ts dur end                  times; absent for events without
 *   phase activity kind class suspect   kind and suspect absent if they do not apply
 *   name cat pid tid process thread device stream context host
 *   correlation                 args.correlation
 *   launch_record launch_ts launch_dur launch_name   the launch of device work
 *   n_device                    device events that a launch owns
 *   graph_id graph_node         graph that launched the device work, and its node
 *   ts_ps dur_ps                picoseconds beyond the ns of ts and dur
 *   kernel grid block simd tile direction bytes   an arg, else a part of the name (model/tr_name_part.h)
 *   lane                        of a span, if lanes are known: 0 the thread's own, 1 the first further one
 *   step                        training step; for device work, the step of its launch; absent if not known
 *   args                        all args, as a JSON object
 *   members                     members of the event, except args, that no other field has, likewise
 *   args.KEY, args."KEY"        one of them; quotes for keys with commas or quotes (\" and \\)
 *
 * The values come out as cells: typed, and bound to the batch they come from.
 */
#ifndef TR_FIELDS_H
#define TR_FIELDS_H

#include "base/tr_mem.h"
#include "formats/common/tr_members.h"
#include "model/tr_name_part.h"
#include "model/tr_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_field {
    enum tr_field_id id;
    char *name;    /* as asked for; args.KEY without quotes */
    char *key;     /* of the arg that is the value; NULL: none */
    bool optional; /* JSON leaves it out when it is absent, instead of null */
};

struct tr_fields {
    struct tr_field *list;
    size_t n, cap;
};

/*
 * Read a comma-separated list; blanks around names are allowed, "name?" makes a field optional.
 * f is zero-initialised by the caller and released by tr_fields_free.
 * TR_OK; TR_USAGE with the reason: unknown field, empty list, quote without end; TR_SYSTEM.
 */
enum tr_status tr_fields_parse(struct tr_fields *f, const char *list, struct tr_error *err);
void tr_fields_free(struct tr_fields *f);

/* Is this field a time, so that its column's name gets a unit? */
bool tr_field_is_time(const struct tr_field *f);
/* Are the values of this field usually numbers, so that text aligns them to the right? */
bool tr_field_is_number(const struct tr_field *f);

/* A value of one event. */
struct tr_field_value {
    enum {
        TR_VALUE_NONE,
        TR_VALUE_NS,     /* i: time */
        TR_VALUE_TYPED,  /* i: as stored, by type; also null, false and true */
        TR_VALUE_TEXT,   /* text: a name that needs no escape */
        TR_VALUE_STR,    /* i: string number */
        TR_VALUE_PART,   /* text, len: a part of a string */
        TR_VALUE_OBJECT, /* text, len: JSON, valid until the next cell is read */
    } is;
    uint8_t type;
    int64_t i;
    const char *text;
    size_t len;
};

/*
 * Reads fields of the events of a batch, from first to last.  Opaque, except its size.  Zero-initialise.
 */
struct tr_field_reader {
    const struct tr_fields *fields;
    const struct tr_steps *steps; /* set by the caller, borrowed; NULL: no step is known */
    const uint32_t *lanes;        /* likewise, by event of the batch (tr_overlaps.h); NULL: none is known */
    bool of_files;                /* likewise: times are those of files, not of the stream */
    struct tr_members members;
    uint32_t *slot_of; /* by shape and field: slot that has the value, UINT32_MAX: none */
    size_t n_shapes, cap_slot_of;
    struct tr_buf object;
    struct tr_name_part part;
};

/* Start a batch; dict and fields stay the same from call to call.  False: out of memory. */
bool tr_field_reader_start(struct tr_field_reader *r, const struct tr_fields *f,
                           const struct tr_batch *b);
/*
 * Field number k of event i, the current event of tr_field_reader_next.  False: out of memory.
 */
bool tr_field_reader_get(struct tr_field_reader *r, size_t i, size_t k, struct tr_field_value *v);
/* Event i is done. */
void tr_field_reader_next(struct tr_field_reader *r, size_t i);
void tr_field_reader_free(struct tr_field_reader *r);

#ifdef __cplusplus
}
#endif
#endif
