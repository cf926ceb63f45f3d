/* SPDX-License-Identifier: MIT */
/*
 * A file for a browser on this machine, by HTTP: http://127.0.0.1:PORT/TOKEN/NAME.
 *
 * Only this address is served, and only to who knows the token, which is random.  Requests to another host are refused,
 * so no page can reach it by a name of its own that leads to 127.0.0.1.  Scripts of other pages are refused, except
 * those of one origin.
 */
#ifndef VIEW_SERVE_H
#define VIEW_SERVE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "io/tr_temp.h"

#include <stdbool.h>
#include <stdint.h>

struct view_server;

/* What is served.  The texts are borrowed. */
struct view_served {
    const char *name, *type; /* the last part of its address, its media type */
    const char *origin;      /* pages of this origin may read it, too; NULL: none */
    struct tr_temp *bytes;   /* flushed */
};

/*
 * Listen on a port of 127.0.0.1; 0: on any that is free.  TR_USAGE: libmicrohttpd cannot be loaded.  TR_SYSTEM: the
 * port is in use.
 */
enum tr_status view_server_new(struct view_server **s, uint16_t port, struct tr_error *err);

/* Append the address.  False: out of memory. */
bool view_server_address(const struct view_server *s, const struct view_served *what, struct tr_buf *text);

/* Serve until all of it has been read once; with keep, until a signal ends the program. */
enum tr_status view_server_run(struct view_server *s, const struct view_served *what, bool keep, struct tr_error *err);
void view_server_free(struct view_server *s);

#endif
