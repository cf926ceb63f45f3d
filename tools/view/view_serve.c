/* SPDX-License-Identifier: MIT */
/*
 * One file by HTTP, with libmicrohttpd.  The library is loaded when it is needed: it brings so many others that linking
 * it would double the time that every start of the program takes.
 */
#include "view/view_serve.h"

#include "base/tr_library.h"
#include "io/tr_io.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TOKEN_BYTES 16
#define BLOCK       (1 << 18)

/* The functions of the library that are used. */
#define FUNCTIONS(X) \
    X(start, MHD_start_daemon) X(stop, MHD_stop_daemon) X(of_callback, MHD_create_response_from_callback) \
    X(of_buffer, MHD_create_response_from_buffer) X(add_header, MHD_add_response_header) \
    X(queue, MHD_queue_response) X(destroy, MHD_destroy_response) X(lookup, MHD_lookup_connection_value)
FUNCTIONS(TR_LIBRARY_LINKED)
struct http {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

struct view_server {
    struct http http;
    int fd;
    uint16_t port;
    char token[2 * TOKEN_BYTES + 1];
    const struct view_served *what;
    char path[128];
    struct MHD_Response *whole, *none; /* the file; no contents, for refusals and preflight requests */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool complete; /* all of it has been read */
};

/* ---- what is needed before anything is read ---- */

static enum tr_status make_token(char *token, struct tr_error *err)
{
    unsigned char bytes[TOKEN_BYTES];
    size_t got = 0;
    int fd = tr_open_fd("/dev/urandom", O_RDONLY, 0);
    enum tr_status st = fd < 0 ? tr_fail_sys(err, errno, "cannot read /dev/urandom")
                               : tr_read_full(fd, bytes, sizeof bytes, &got, err);
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < got; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return st;
}

static enum tr_status listen_on(struct view_server *s, uint16_t port, struct tr_error *err)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
    socklen_t len = sizeof at;
    int yes = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (s->fd < 0 || fcntl(s->fd, F_SETFD, FD_CLOEXEC) < 0 ||
        setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
        bind(s->fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(s->fd, 16) < 0 ||
        getsockname(s->fd, (struct sockaddr *)&at, &len) < 0)
        return tr_fail_sys(err, errno, "cannot listen on port %u of 127.0.0.1", port);
    s->port = ntohs(at.sin_port);
    return TR_OK;
}

enum tr_status view_server_new(struct view_server **out, uint16_t port, struct tr_error *err)
{
    struct view_server *s = *out = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->fd = -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    enum tr_status st = tr_library_load("libmicrohttpd.so.12", "--open", functions,
                                        sizeof functions / sizeof *functions, &s->http, err);
    if (st == TR_OK)
        st = listen_on(s, port, err);
    return st == TR_OK ? make_token(s->token, err) : st;
}

void view_server_free(struct view_server *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s); /* the library stays loaded until the program ends */
}

bool view_server_address(const struct view_server *s, const struct view_served *what, struct tr_buf *text)
{
    return tr_buf_print(text, "http://127.0.0.1:%u/%s/%s", s->port, s->token, what->name);
}

/* ---- requests ---- */

/* Is it this machine, whatever the port?  That may be another one where a tunnel begins. */
static bool is_here(const char *host)
{
    size_t n = host ? strcspn(host, ":") : 0;
    return n == 9 && (memcmp(host, "127.0.0.1", n) == 0 || memcmp(host, "localhost", n) == 0);
}

/* The status of the answer to a request. */
static unsigned judge(const struct view_server *s, struct MHD_Connection *c, const char *url, const char *method)
{
    const char *origin = s->http.lookup(c, MHD_HEADER_KIND, "Origin");
    bool asks = strcmp(method, "OPTIONS") == 0;
    if (!is_here(s->http.lookup(c, MHD_HEADER_KIND, "Host")))
        return MHD_HTTP_FORBIDDEN;
    if (strcmp(url, s->path) != 0)
        return MHD_HTTP_NOT_FOUND;
    if (origin && (!s->what->origin || strcmp(origin, s->what->origin) != 0))
        return MHD_HTTP_FORBIDDEN;
    if (!asks && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    return asks ? MHD_HTTP_NO_CONTENT : MHD_HTTP_OK;
}

static enum MHD_Result answer(void *self, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *upload, size_t *n_upload, void **of)
{
    struct view_server *s = self;
    unsigned status = judge(s, c, url, method);
    (void)version;
    (void)upload;
    *n_upload = 0;
    *of = status == MHD_HTTP_OK && strcmp(method, "GET") == 0 ? s->whole : NULL;
    return s->http.queue(c, status, status == MHD_HTTP_OK ? s->whole : s->none);
}

static void finished(void *self, struct MHD_Connection *c, void **of, enum MHD_RequestTerminationCode how)
{
    struct view_server *s = self;
    (void)c;
    if (!*of || how != MHD_REQUEST_TERMINATED_COMPLETED_OK)
        return;
    pthread_mutex_lock(&s->lock);
    s->complete = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static ssize_t read_block(void *self, uint64_t at, char *bytes, size_t n)
{
    struct view_server *s = self;
    struct tr_error ignored = TR_ERROR_INIT;
    uint64_t left = tr_temp_size(s->what->bytes) - at;
    n = n < left ? n : (size_t)left;
    return tr_temp_read_at(s->what->bytes, bytes, n, at, &ignored) == TR_OK ? (ssize_t)n
                                                                            : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* ---- the run ---- */

static bool add_headers(const struct view_server *s, struct MHD_Response *r)
{
    const struct http *h = &s->http;
    const char *origin = s->what->origin;
    return h->add_header(r, "Cache-Control", "no-store") && h->add_header(r, "X-Content-Type-Options", "nosniff") &&
           (!origin || (h->add_header(r, "Access-Control-Allow-Origin", origin) &&
                        h->add_header(r, "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS") &&
                        h->add_header(r, "Access-Control-Allow-Private-Network", "true") &&
                        h->add_header(r, "Vary", "Origin")));
}

static bool make_answers(struct view_server *s)
{
    s->whole = s->http.of_callback(tr_temp_size(s->what->bytes), BLOCK, read_block, s, NULL);
    s->none = s->http.of_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    return s->whole && s->none && s->http.add_header(s->whole, "Content-Type", s->what->type) &&
           add_headers(s, s->whole) && add_headers(s, s->none) &&
           s->http.add_header(s->none, "Allow", "GET, HEAD, OPTIONS");
}

enum tr_status view_server_run(struct view_server *s, const struct view_served *what, bool keep, struct tr_error *err)
{
    struct MHD_Daemon *d = NULL;
    s->what = what;
    snprintf(s->path, sizeof s->path, "/%s/%s", s->token, what->name);
    signal(SIGPIPE, SIG_IGN); /* a browser may stop reading */
    bool ok = make_answers(s);
    if (ok)
        d = s->http.start(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, s,
                          MHD_OPTION_LISTEN_SOCKET, s->fd, MHD_OPTION_NOTIFY_COMPLETED, finished, s, MHD_OPTION_END);
    if (d) {
        s->fd = -1; /* the library closes it */
        pthread_mutex_lock(&s->lock);
        while (keep || !s->complete)
            pthread_cond_wait(&s->changed, &s->lock);
        pthread_mutex_unlock(&s->lock);
        s->http.stop(d);
    }
    if (s->whole)
        s->http.destroy(s->whole);
    if (s->none)
        s->http.destroy(s->none);
    return d ? TR_OK : tr_fail(err, TR_SYSTEM, "the server cannot be started");
}
