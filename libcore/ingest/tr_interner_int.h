/* SPDX-License-Identifier: MIT */
/*
 * An interner: the strings, shapes and tracks that one reading thread has met, numbered privately.
 *
 * Threads that read one trace share nothing while they read.  Each has its own interner, whose keys are the raw texts
 * of the file.  So a text is decoded and classified once per distinct text, not once per event.  Rows refer to these
 * numbers; the batch builder maps them to those of the stream when the rows are merged.
 *
 * Internal to libcore.
 */
#ifndef TR_INTERNER_INT_H
#define TR_INTERNER_INT_H

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "model/tr_rules.h"
#include "stream/tr_dict.h"
#include "vendor/tr_names.h"
#include "vendor/tr_vocab.h"

/* A distinct raw text. */
struct tr__text {
    const char *raw;  /* as in the file */
    uint32_t raw_len;
    uint32_t len;     /* of the decoded form, which */
    const char *text; /* may be the raw text itself */
    uint16_t defects; /* bits that the decoder of the format has set; 0: no defects */
    uint8_t is_json;
    uint8_t category; /* enum tr_activity as a category */
    uint8_t name;     /* enum tr_vocab_name */
    uint8_t kernel_kind; /* enum tr_kind of a kernel with this name; TR_KIND_NONE: not known yet, see tr__kernel_kind */
    uint8_t is_int;   /* a plain decimal integer: value */
    uint8_t arrow;    /* enum tr_vocab_arrow of a category: value is the number of the work, step the rank;
                         for a * value is TR_I64_NONE */
    uint8_t has_arrows; /* tr_vocab_has_arrows */
    uint8_t as_category, as_name; /* activity by a rule of the user + 1; 0: no rule takes the text */
    int64_t value;
    int64_t step;     /* for TR_NAME_STEP */
};

/*
 * Decode a raw text into the empty buffer out.  is_json: the result is JSON text, otherwise a string.
 * False: out of memory, or raw is not a valid text of the format.
 */
typedef bool tr__decode_fn(const char *raw, size_t len, bool is_json, struct tr_buf *out, unsigned *defects);

struct tr__interner {
    tr__decode_fn *decode; /* NULL: raw texts need no decoding */
    struct tr_arena *arena;
    struct tr__text *texts;
    struct tr_shape *shapes; /* keys are text numbers; columns are not set */
    bool *stamped;           /* by shape: among its args is TS1, the first of a device's cycle stamps */
    struct tr_track *tracks; /* pid, tid: text numbers if they are strings */
    size_t n_texts, cap_texts;
    size_t n_shapes, cap_shapes, cap_stamped;
    size_t n_tracks, cap_tracks;
    struct tr_hash_index text_index, shape_index, track_index;
    uint32_t near[64]; /* a cache of shapes: number + 1, by a hash of a few members; most events repeat a shape */
    struct tr_spilling texts_in; /* the memory or file of the texts */
    struct tr_buf scratch;
    const struct tr_names *names; /* rules of the user; NULL: none */
    struct tr_rules *kind_rules; /* NULL until the first kernel */
    size_t used, max; /* bytes, roughly: here and in the dictionary made of it; max 0: no limit */
    bool full;        /* something did not fit into max */
};

/* An empty interner without a limit.  spill: files for texts when memory is short, which then do not count for the
 * limit; NULL: none. */
bool tr__interner_init(struct tr__interner *s, tr__decode_fn *decode, struct tr_spill *spill);
void tr__interner_free(struct tr__interner *s);

/*
 * The number of a text.  is_json: an array, an object or the text of a number, kept as JSON text; otherwise a string.
 * raw is the input of the decoder.  TR_NO_STR: out of memory, or the interner is full.
 */
uint32_t tr__intern_text(struct tr__interner *s, const char *raw, size_t len, bool is_json);

/*
 * The activity of a span by the rules of the user, by the numbers of its name and category (TR_NO_STR: none), or -1.
 * The name comes first.
 */
static inline int tr__user_activity(const struct tr__interner *s, uint32_t name, uint32_t cat, enum tr_phase phase)
{
    if (!s->names || (phase != TR_SPAN && phase != TR_BEGIN && phase != TR_SPAN_END))
        return -1;
    int by_name = name == TR_NO_STR ? 0 : s->texts[name].as_name;
    return (by_name ? by_name : cat == TR_NO_STR ? 0 : s->texts[cat].as_category) - 1;
}

/*
 * The kind of a kernel, by the number of its name; TR_NO_STR: it has no name.  Each name is compared with the rules
 * once.  False: out of memory.
 */
bool tr__intern_kind(struct tr__interner *s, uint32_t id); /* for a name that is compared for the first time */
static inline bool tr__kernel_kind(struct tr__interner *s, uint32_t id, uint8_t *kind)
{
    if (id != TR_NO_STR && s->texts[id].kernel_kind == TR_KIND_NONE && !tr__intern_kind(s, id))
        return false;
    *kind = id == TR_NO_STR ? TR_KIND_COMPUTE : s->texts[id].kernel_kind;
    return true;
}

/* The number of a shape with these slots (copied); UINT32_MAX: out of memory, or full. */
uint32_t tr__intern_shape(struct tr__interner *s, const struct tr_slot *slots, uint32_t n, char ph);

/* The number of the track that equals t in source, side, pid, tid, device, context, stream and clock; UINT32_MAX: as
 * above. */
uint32_t tr__intern_track(struct tr__interner *s, const struct tr_track *t);

/* Is this the correlation, whose number joins device work with its launch?  For shapes without another link. */
static inline bool tr__is_correlation(const struct tr__text *key, unsigned place)
{
    return place == TR_PLACE_ARGS && ((key->len == 11 && !memcmp(key->text, "correlation", 11)) ||
                                      (key->len == 7 && !memcmp(key->text, "corr_id", 7)));
}

#endif
