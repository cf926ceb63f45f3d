/* SPDX-License-Identifier: MIT */
/*
 * tr-record: what its files share.
 *
 * A session is a folder: each process that is watched writes recordings there (formats/recording), and maps its file
 * of control.  When the command has ended, the recordings of each rank are joined, and read as any trace is.  A session
 * with a name is controlled by other runs of tr-record: a link in the temporary folder leads to its folder.
 */
#ifndef RECORD_H
#define RECORD_H

#include "cli/cli_main.h"
#include "formats/recording/tr_recording_control.h"

#include <limits.h>

struct record {
    const char *folder;  /* NULL: one that is removed at the end */
    const char *results; /* a folder for a stream of each application; NULL: one stream */
    const char *name;    /* of the session; NULL: none */
    const char *pause, *resume, *stop; /* names of sessions that are to do so */
    bool paused;         /* at the start */
    int64_t after, until; /* ns from the start of the command: record from here, up to here; 0: not given */
    int64_t ring;        /* ns before the end that are kept; 0: all */
    struct tr_option_list include, exclude; /* patterns of names */
    const char *switched; /* a variable by which programs pause and resume; NULL: none */
    const char *ranks;   /* a list; NULL: all */
    bool single;         /* not the children of the command */
    int status;          /* of the command, as a shell has it; -1: it was not run */
};

/* The folder of a session. */
struct record_session {
    char path[PATH_MAX - 300];
    bool temporary;
    int64_t first; /* events that end before this time do not count, ns since 1970; 0: all count */
    struct tr_rec_control *control;
    int lock;              /* the file of control, which is locked while the session runs */
    char link[PATH_MAX];   /* by which its name is known; "": it has none */
};

/* Make the folder and its file of control, and set what the command inherits.  TR_OK, TR_USAGE, TR_SYSTEM. */
enum tr_status record_session_start(struct record_session *s, struct cli *cli, const struct record *o,
                                    struct tr_error *err);
void record_session_end(struct record_session *s); /* remove what is temporary */

/* From now on, the processes of the session record, or do not. */
void record_session_pause(struct record_session *s, bool pause);

/* Make a session known by a name, or refuse it.  TR_OK, TR_USAGE, TR_SYSTEM. */
enum tr_status record_name(struct record_session *s, struct cli *cli, const char *name, struct tr_error *err);
void record_unname(struct record_session *s);
/* Control the sessions that options name.  TR_OK; TR_ABSENT: there is none of a name; TR_USAGE, TR_SYSTEM. */
enum tr_status record_steer(struct cli *cli, const struct record *o, struct tr_error *err);

/* A folder that is made, or that is empty.  TR_OK, TR_USAGE, TR_SYSTEM. */
enum tr_status record_empty_folder(const char *path, struct tr_error *err);

/*
 * Run a command to its end, and record while it is time.  its_output: its standard output is standard error.
 * o->status: as a shell has it.
 */
enum tr_status record_run(struct record_session *s, struct record *o, const char *const *command, bool its_output,
                          struct tr_error *err);

/* The joined recordings of each rank, or of each application; release with record_joined_free. */
struct record_joined {
    char **paths;
    char **names; /* [rank_RANK.]APPLICATION.PID, or "" if they are joined by rank */
    size_t n, cap, cap_names;
    size_t n_processes;
};
enum tr_status record_join(const struct record_session *s, bool applications, struct record_joined *out,
                           struct tr_error *err);
void record_joined_free(struct record_joined *j); /* and remove the files */

#endif
