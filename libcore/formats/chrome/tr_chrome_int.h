/* SPDX-License-Identifier: MIT */
/*
 * Inside of the Trace Event Format reader: what its files share.  Internal to libcore.
 *
 *   tr_chrome_event.c  one event: its members, by tokens
 *   tr_chrome_fastpath.c  the shortcut for shapes already seen
 *   tr_chrome_row.c    what members mean, and the row of the event
 *   tr_chrome_dialect.c  files of a dialect: what their events are
 *   tr_chrome_doc.c    the text around the events: header members, commas
 *   tr_chrome_resync.c   finds the next event after damage
 *   tr_chrome_read.c   threads: pieces of the file are read in parallel and committed in order
 *   tr_chrome_source.c what a file says about itself: rank, host, time base
 *   tr_chrome_open.c   passes the file to ingest/
 */
#ifndef TR_CHROME_INT_H
#define TR_CHROME_INT_H

#include "ingest/tr_ingest_int.h"
#include "json/tr_json.h"
#include "json/tr_json_tok.h"

#define TR__MAX_EVENT (15u << 20) /* bytes of one event or member, so that each string of it fits a
                                     row of a stream; beyond it that is damage */
#define TR__MAX_MEMBERS 30000u  /* of one event; a stream holds twice as many: a joined B and E */
#define TR__PAD 64u               /* zero bytes after every piece of text */

/* The place of the text in the document. */
enum tr__state {
    TR__AT_START,       /* before the first bracket */
    TR__IN_OBJECT,      /* among the members of the outer object */
    TR__OBJECT_LOST,    /* in the middle of one that is too long, looking for traceEvents */
    TR__EVENTS_FIRST,   /* after the [ of traceEvents */
    TR__EVENTS_COMMA,   /* after a comma there */
    TR__EVENTS_VALUE,   /* after an element there */
    TR__EVENTS_LOST,    /* in the middle of something else, looking for the next event */
    TR__AT_END,         /* the outer bracket is closed */
    TR__IGNORE,         /* what follows is not a trace */
};

#define TR__LEARN_EVENTS 256u /* pieces are not read in parallel before these have been read */

struct tr__position {
    enum tr__state state;
    bool bare_array, seen_events, seen_bracket;
    size_t in_vain;  /* bytes read without an event, less a multiple of the bytes read since with a result */
    size_t repairs;  /* the same for bytes read to repair an event */
    bool after_end; /* events after the end: another end may follow them, or none */
    struct tr_json_firsts firsts; /* keys with which events start: of the format, and of the first events */
    unsigned n_learnt;            /* events that firsts was learned from */
};

/* What a member means to the reader. */
enum tr__use {
    TR__USE_PLAIN,
    TR__USE_STAMP, /* a cycle stamp: as an arg, and a hexadecimal integer in quotes likewise */
    TR__USE_ARG, /* plain, of args: an integer in quotes is packed as a number */
    TR__USE_PH,
    TR__USE_NAME,
    TR__USE_CAT,
    TR__USE_TS,
    TR__USE_DUR,
    TR__USE_PID,
    TR__USE_TID,
    TR__USE_DEVICE, /* these are kept like plain ones, and give the track or the launch */
    TR__USE_STREAM,
    TR__USE_REAL_STREAM,
    TR__USE_CONTEXT,
    TR__USE_CORRELATION,
    TR__USE_TEXT,   /* args.name, args.labels: the text of a metadata event */
    TR__USE_NUMBER, /* args.sort_index */
    TR__USE_ARGS,   /* the args object: its members follow */
    TR__USE_VOID,   /* a later member has the same key */
};

/*
 * The shortcut: a tree of the shapes seen so far.  An edge is the exact text between two values, and the meaning of the
 * value after it; the type of the value decides which node follows.  An event that fits a path needs no tokens.  See
 * tr_chrome_fastpath.c.
 */
struct tr__edge;
struct tr__node {
    struct tr__edge *edges;
};

/* Where does the current event already have a key: at the top, in args? */
struct tr__seen {
    uint64_t object[2];
    size_t at[2];
};

/* A thread that reads. */
struct tr__spoken;
struct tr__parser {
    struct tr__lane lane;
    struct tr__spoken *spoken; /* the dialect of the file, one for all its parsers; NULL: none */
    bool tokenize_all; /* do not use the shortcut */
    const struct tr_json_firsts *firsts; /* of the position where it continues */
    size_t *repairs;                     /* of that position, too */
    struct tr__node root;
    size_t n_edges;
    struct tr__start **starts; /* of events that the shortcut has read; NULL: none yet */
    uint64_t n_started, n_missed; /* events that started like one of them, and the others */
    struct tr_json_tokens tokens;
    struct tr_buf clean, slots; /* fixed text; members as struct tr__member */
    struct tr__seen *seen; /* by key */
    size_t cap_seen;
    uint64_t object; /* number of the event read by tokens, from 1 */
};

void tr__parser_free(struct tr__parser *p);

/* Count defects of a text, TR_JSON_* bits: each once. */
void tr__count_defects(struct tr__piece *piece, unsigned defects, uint64_t offset);

enum tr__took { TR__TOOK, TR__MORE, TR__BAD, TR__LONG, TR__NO_MEMORY };

/*
 * Read the event object at p[0] == '{'.  n bytes are there, last: no more will come; offset: of p in the file.  *len:
 * set on TOOK and LONG (then nothing was taken); on BAD and MORE the length of the valid text.
 */
enum tr__took tr__take_event(struct tr__parser *ps, const char *p, size_t n, bool last,
                             uint64_t offset, size_t *len);

/*
 * Is the end of the document inside p[0..len), the last event of the text, because a string of it was never closed?  It
 * ends with `]`, members of the outer object, and its bracket.
 */
bool tr__holds_the_end(const char *p, size_t len);

/* The position before the first byte of a file. */
void tr__position_init(struct tr__position *pos);

/*
 * Read on from a position: as much of p[0..n) as is complete.  *used and *pos are updated.
 * p[n..n+TR__PAD) is readable.
 */
enum tr__took tr__take_text(struct tr__parser *ps, struct tr__position *pos, const char *p, size_t n,
                            bool last, uint64_t offset, size_t *used);

/* One value of known use.  Strings: p is the inside.  False: the shortcut cannot take it. */
struct tr__member {
    const char *raw; /* whole value as in the text, quotes included */
    size_t len;
    uint32_t key; /* text number */
    uint8_t place, use;
};

/* Is this inside of a string a regular phase: one letter, kept in the shape? */
static inline bool tr__plain_phase(const char *p, size_t n)
{
    return n == 1 && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x7f && *p != '\\';
}

/* Is this the letter of a flow event? */
static inline bool tr__flow_phase(char ph)
{
    return ph == 's' || ph == 't' || ph == 'f';
}

enum tr__use tr__use_of(const struct tr__text *key, unsigned place);
void tr__take_string(const struct tr__parser *ps, struct tr__event *e, enum tr__use use, uint32_t id);
void tr__take_integer(struct tr__event *e, enum tr__use use, int64_t v);
/* Of a pid or tid from 2^63 on. */
void tr__take_unsigned(struct tr__event *e, enum tr__use use, uint64_t v);
/*
 * Take the category of an arrow, whose phase must be known: a flow event has the text with a * in place of the number
 * of the work, and the number in a column.  p is the inside of the string.  *id: the text with the *, or TR_NO_STR if
 * the string is to be taken like any other.  False: out of memory.
 */
bool tr__take_arrow(struct tr__parser *ps, struct tr__event *e, const char *p, size_t n, uint32_t *id);
/* The event is read: commit its row, which has its packed values. */
enum tr__took tr__finish_event(struct tr__parser *ps, struct tr__event *e, struct tr_row *row,
                               uint32_t shape, uint64_t offset);

/* The shortcut: read an event by a path of the tree.  Returns its length, or 0 if no path matches. */
size_t tr__short_event(struct tr__parser *ps, const char *p, size_t n, struct tr__event *e,
                       uint64_t offset, enum tr__took *took);
/* Remember the shape of a clean event: the values of its members in order, all within p[0..len). */
bool tr__short_learn(struct tr__parser *ps, const char *p, size_t len, const struct tr__member *m,
                     size_t n_members, uint32_t shape);

/*
 * The dialect of a file (formats/common/tr_dialect.h).
 *
 * event: what the dialect says of an event whose
 * members are in ps->slots.  last: that event.  added: its row is in the lane.  steps: the file has been read.
 * False: out of memory.
 */
struct tr_dialect;
struct tr_dialect_event;
void tr__spoken_free(struct tr__spoken *s);
const struct tr_dialect *tr__spoken_dialect(const struct tr__spoken *s); /* NULL: none */
bool tr__spoken_event(struct tr__parser *ps, struct tr__event *e, size_t n_members);
const struct tr_dialect_event *tr__spoken_last(const struct tr__spoken *s);
bool tr__spoken_added(struct tr__parser *ps, const struct tr_row *row);
bool tr__spoken_steps(const struct tr__spoken *s, struct tr__file *f);

#endif
