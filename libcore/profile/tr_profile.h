/* SPDX-License-Identifier: MIT */
/*
 * Profiles: stacks of frames, and the weights of each; one run, or two beside each other.
 *
 *     struct tr_profile *p = tr_profile_new();
 *     uint32_t step = tr_profile_child(p, TR_PROFILE_ROOT, tr_str_of("(step)"), TR_PROFILE_ANNOTATION);
 *     uint32_t mm = tr_profile_child(p, step, tr_str_of("aten::mm"), TR_PROFILE_OPERATOR);
 *     tr_profile_add(p, mm, TR_PROFILE_TEST, TR_PROFILE_HOST, 17);
 *     tr_profile_end(p);
 *     tr_profile_folded(p, &about, &out, &err);
 *
 * A node is a stack: a frame inside of the frames of its parent.  A weight is added to the stack that has it itself;
 * its total, with those of all stacks inside, is known after tr_profile_end.  Frames of one parent are ordered by the
 * bytes of their names, so equal profiles give equal bytes, however they were made.
 *
 * Names come from traces and may have any byte; each writer says how it writes them.
 *
 * Memory: 60 bytes for each node, 64 more for its weights, 72 at the end; the text that is written.  Not shared between
 * threads.
 */
#ifndef TR_PROFILE_H
#define TR_PROFILE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "base/tr_strtab.h"
#include "table/tr_chart.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_profile_weight {
    TR_PROFILE_HOST,     /* ns on the host, without frames inside */
    TR_PROFILE_DEVICE,   /* ns of device work that the stack launched */
    TR_PROFILE_LAUNCHES, /* kernels, copies and memsets that it launched */
    TR_PROFILE_BYTES,    /* allocated on devices */
    TR_N_PROFILE_WEIGHTS
};
extern const char *const tr_profile_weight_names[]; /* as words of options, ended by NULL */
const char *tr_profile_says(enum tr_profile_weight w); /* for people: "time on the host" */

enum tr_profile_side { TR_PROFILE_TEST, TR_PROFILE_BASE, TR_N_PROFILE_SIDES };

/* What a frame is; pictures have a colour for each.  A node whose frames differ has the greatest of theirs. */
enum tr_profile_kind {
    TR_PROFILE_OTHER,
    TR_PROFILE_PYTHON,
    TR_PROFILE_ANNOTATION,
    TR_PROFILE_OPERATOR,
    TR_PROFILE_CALL,
    TR_PROFILE_WORK,
    TR_N_PROFILE_KINDS
};

#define TR_PROFILE_ROOT 0u         /* the node of no frames */
#define TR_PROFILE_NONE UINT32_MAX /* no node: out of memory */

struct tr_profile_node {
    uint32_t parent; /* of the root: TR_PROFILE_NONE */
    uint32_t name;   /* tr_profile_name */
    uint32_t kind;
    uint32_t depth; /* of the root: 0 */
};

/* Deeper stacks count for the frame at this depth: their texts would grow with the square of it. */
#define TR_PROFILE_MAX_DEPTH 512u

struct tr_profile;
struct tr_profile *tr_profile_new(void); /* NULL: out of memory */
void tr_profile_free(struct tr_profile *p);

/*
 * The frame with this name inside a node, which is added if it is new; of a node of the largest depth, this node.
 * TR_PROFILE_NONE: out of memory.
 */
uint32_t tr_profile_child(struct tr_profile *p, uint32_t node, struct tr_str name, enum tr_profile_kind kind);

/* Nodes have numbers below their count; a parent has a lower one than its children.  Valid until the next is added. */
size_t tr_profile_count(const struct tr_profile *p);
const struct tr_profile_node *tr_profile_at(const struct tr_profile *p, uint32_t node);
struct tr_str tr_profile_name(const struct tr_profile *p, uint32_t node);

/* Like strcmp, for stacks: frame by frame from the outermost, each by its bytes. */
int tr_profile_compare(const struct tr_profile *p, uint32_t a, uint32_t b);

/* Names of the frames of a node, outermost first, with a text between.  False: out of memory. */
bool tr_profile_text(const struct tr_profile *p, uint32_t node, const char *between, struct tr_buf *out);

/* Add to a weight of a node, which stays at INT64_MAX if it does not fit.  False: out of memory. */
bool tr_profile_add(struct tr_profile *p, uint32_t node, enum tr_profile_side side, enum tr_profile_weight weight,
                    int64_t value);

/* Add what a profile has as test to one side of another.  False: out of memory. */
bool tr_profile_merge(struct tr_profile *to, enum tr_profile_side side, const struct tr_profile *from);

/* All has been added: find totals and the order of nodes.  False: out of memory. */
bool tr_profile_end(struct tr_profile *p);

/* After tr_profile_end: a weight of a node itself, and with all nodes inside it. */
int64_t tr_profile_self(const struct tr_profile *p, uint32_t node, enum tr_profile_side side, enum tr_profile_weight w);
int64_t tr_profile_total(const struct tr_profile *p, uint32_t node, enum tr_profile_side side,
                         enum tr_profile_weight w);
/* Node number i in order, each followed by all that are inside it; the first is the root. */
uint32_t tr_profile_ordered(const struct tr_profile *p, size_t i);
/* The number of frames of a node; of the root 0. */
unsigned tr_profile_depth(const struct tr_profile *p, uint32_t node);

/* ---- files of profiles, after tr_profile_end ---- */

struct tr_profile_about {
    enum tr_profile_weight weight;    /* that is shown first, or alone */
    bool compared;                    /* there are two sides */
    const char *base;                 /* what the base is, for a picture; may be NULL */
    const struct tr_picture *picture; /* what stands around a picture, and the size of one */
};

/*
 * Appended to out.  TR_SYSTEM: out of memory.
 *
 * folded      a line for each stack that has some of the weight: names with semicolons between, a blank, the weight; of
 *             two sides that of the base, a blank, that of the test.  A semicolon in a name, characters that are not
 *             plain (tr_escape_plain), and a blank before a number at the end of the names are \xHH; no name is
 *             "(no name)".
 * speedscope  JSON: a sampled profile for each weight that there is, and each side; the weight of about is shown
 *             first.  Names are valid UTF-8 (U+FFFD).
 * pprof       the message perftools.profiles.Profile, packed by gzip: samples have all weights; of two sides, what the
 *             test has more than the base.  Names are valid UTF-8 (U+FFFD).
 * svg         a picture: a box for each stack, as wide as its total, with its name and weight where one points at it
 * html        a page with this picture, and a script that zooms and searches.  Its policy allows no network, and only
 *             this script.
 */
typedef enum tr_status tr_profile_writer(const struct tr_profile *p, const struct tr_profile_about *about,
                                         struct tr_buf *out, struct tr_error *err);
tr_profile_writer tr_profile_folded, tr_profile_speedscope, tr_profile_pprof, tr_profile_svg, tr_profile_html;

#ifdef __cplusplus
}
#endif
#endif
