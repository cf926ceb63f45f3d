/* SPDX-License-Identifier: MIT */
/*
 * The recorder that tr-record loads into a program: what the interfaces of instrumentation share.
 *
 * An interface (ITT, NVTX, ROCTX, MPI, OpenCL) is a file that takes the calls of the program, and says here what
 * happened:
 *
 *     struct capture *c = capture_in();
 *     if (c) {
 *         if (capture_begin(c, TR_REC_NVTX, domain, name))
 *             capture_arg_int(c, "payload", 7);
 *         capture_out(c);
 *     }
 *
 * Each thread writes records to a block of 64 KiB of its own, which it shares with a file: a process that is killed
 * loses at most the record that each of its threads was writing.  A block that is full is appended to a file of the
 * process.  Nothing is locked but to start and to end a thread.  The recorder never prints, and never ends the program:
 * what it cannot write is counted, and left out.  Files are opened by name each time, as a program may close
 * descriptors that it does not know.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "formats/recording/tr_recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A text.  If key is given, the text is always the same for it, and is only looked at where the key is new in a block.
 * s NULL: none.  len CAPTURE_STRING: it ends with a zero byte.
 */
struct capture_text {
    const char *s;
    size_t len;
    const void *key;
};
#define CAPTURE_STRING ((size_t)-1)
#define CAPTURE_NONE   ((struct capture_text){ NULL, 0, NULL })

static inline struct capture_text capture_text(const char *s)
{
    return (struct capture_text){ s, CAPTURE_STRING, NULL };
}

static inline struct capture_text capture_kept(const char *s)
{
    return (struct capture_text){ s, CAPTURE_STRING, s };
}

struct capture; /* a thread that writes */

/* Is there a session that records this process, now or when it is resumed?  And is it not paused? */
bool capture_is_on(void);
bool capture_is_recording(void);

/* NULL: nothing is recorded: there is no session, or the thread is inside already, by a signal. */
struct capture *capture_in(void);
void capture_out(struct capture *c);

int64_t capture_now(void); /* ns of the clock of records */
uint64_t capture_number(void); /* 1, 2, ...: one that no other call in this process gets */

/* A span that nests.  False: it is not recorded: recording is paused, or its name is not chosen. */
bool capture_begin(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name);
bool capture_begin_at(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                      int64_t ts);
/* Ends the innermost of its domain, if that is recorded.  Domains are the same if their keys, or their texts, are. */
void capture_end(struct capture *c, enum tr_rec_api api, struct capture_text domain);
void capture_end_at(struct capture *c, enum tr_rec_api api, struct capture_text domain, int64_t ts);
bool capture_ends(struct capture *c, enum tr_rec_api api, struct capture_text domain); /* would it be recorded? */
/* How many spans of the domain are open. */
unsigned capture_depth(const struct capture *c, enum tr_rec_api api, struct capture_text domain);
/* The key of the span that was just begun, for capture_arg_of. */
void capture_id(struct capture *c, enum tr_rec_api api, uint64_t key);

/* A span that may overlap others, and may end in another thread. */
bool capture_open(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                  uint64_t key, int64_t ts);
void capture_close(struct capture *c, enum tr_rec_api api, uint64_t key, int64_t ts);

bool capture_mark(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                  int64_t ts);
/* type: TR_REC_INT, TR_REC_UINT or TR_REC_REAL, whose bits the value is. */
void capture_counter(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                     enum tr_rec_value type, uint64_t value, int64_t ts);

/*
 * Work of a device, or a wait for it, of which all is known.  It is recorded while recording is paused, too, as it was
 * launched before.
 */
struct capture_work {
    struct capture_text name, device;
    int64_t ts, dur;
    uint32_t device_number, queue; /* in the process */
    uint64_t correlation;
};
bool capture_work(struct capture *c, enum tr_rec_api api, const struct capture_work *w);
void capture_after(struct capture *c, const uint64_t *correlations, size_t n); /* what the work before it waited for */
void capture_launch(struct capture *c, uint64_t correlation); /* the innermost open span launched work */

/* Args of the record before them; of the innermost open span if that was an end. */
void capture_arg_int(struct capture *c, const char *key, int64_t value); /* keys here are literals */
void capture_arg_text(struct capture *c, const char *key, struct capture_text value);
void capture_arg_list(struct capture *c, const char *key, const uint64_t *numbers, size_t n);
/* An arg of the open span with the key of. */
#define CAPTURE_INNERMOST UINT64_C(0)   /* of the innermost open span, whatever the record before is */
#define CAPTURE_BEFORE    UINT64_MAX    /* of the record before */
void capture_arg(struct capture *c, enum tr_rec_api api, uint64_t of, struct capture_text key, enum tr_rec_value type,
                 uint64_t value);
void capture_arg_string(struct capture *c, enum tr_rec_api api, uint64_t of, struct capture_text key,
                        struct capture_text value);

bool capture_is_thread(const struct capture *c, uint32_t number); /* of the system */
void capture_thread_name(struct capture *c, const char *name);

/* The program pauses or resumes the recording of its process.  Not between capture_in and capture_out. */
void capture_pause(bool pause);

/*
 * The variable of the environment by which a program pauses and resumes, as tr-record --switch names it; NULL: none.
 * It is on if it is set to anything that does not begin with 0.
 */
const char *capture_switch(void);
bool capture_switched_on(void);

/* Wide characters as UTF-8, cut to n bytes with the zero at its end; returns to. */
const char *capture_wide(const void *wide, char *to, size_t n);

#endif
