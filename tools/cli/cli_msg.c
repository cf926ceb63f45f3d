/* SPDX-License-Identifier: MIT */
/* Everything that goes to standard error, except the progress line. */
#include "base/tr_escape.h"
#include "cli/cli_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SHOWN 5 /* warnings of one kind */

/* A line that is being written; text that does not fit is cut. */
struct line {
    char text[2048];
    size_t len;
};

/* Text from outside: characters that a terminal would obey or hide are shown as \xNN. */
static void add(struct line *l, const char *s)
{
    size_t len = strlen(s);
    for (size_t i = 0, n; i < len && l->len + 20 < sizeof l->text; i += n) {
        bool plain = tr_escape_plain(s + i, len - i, &n);
        for (size_t k = i; k < i + n; k++)
            if (plain)
                l->text[l->len++] = s[k];
            else
                l->len += (size_t)snprintf(l->text + l->len, 8, "\\x%02x", (unsigned)(unsigned char)s[k]);
    }
}

static void add_part(struct line *l, const char *s)
{
    if (s && *s) {
        add(l, ": ");
        add(l, s);
    }
}

/* One write, so that the messages of programs in a pipeline do not mix. */
static void print(struct cli *cli, struct line *l)
{
    l->text[l->len++] = '\n';
    cli__progress_clear(cli);
    for (size_t done = 0; done < l->len;) {
        ssize_t n = write(STDERR_FILENO, l->text + done, l->len - done);
        if (n <= 0 && errno != EINTR)
            return; /* there is no other place for a message */
        done += n > 0 ? (size_t)n : 0;
    }
}

/* The complete lines below an error. */
static void print_below(struct cli *cli)
{
    const char *s = (const char *)cli->below.data;
    for (size_t at = 0, end; at < cli->below.len; at = end + 1) {
        struct tr_buf line = { 0 };
        for (end = at; end < cli->below.len && s[end] != '\n';)
            end++;
        if (tr_escape_text(&line, s + at, end - at, SIZE_MAX, NULL) && tr_buf_add_str(&line, "\n"))
            fwrite(line.data, 1, line.len, stderr);
        tr_buf_free(&line);
    }
}

static const char *status_text(enum tr_status st)
{
    switch (st) {
    case TR_DAMAGED:
        return "the input is damaged";
    case TR_USAGE:
        return "wrong usage";
    default:
        return "the system failed";
    }
}

void cli__print_error(struct cli *cli, const struct tr_error *err)
{
    struct line l = { .len = 0 };
    add(&l, cli->name);
    add_part(&l, err->input);
    add_part(&l, err->place);
    add_part(&l, err->what[0] ? err->what : status_text(err->status));
    if (err->sys_errno)
        add_part(&l, strerror(err->sys_errno));
    pthread_mutex_lock(&cli->lock);
    print(cli, &l);
    print_below(cli);
    pthread_mutex_unlock(&cli->lock);
}

void cli_show_below(struct cli *cli, struct tr_buf *lines)
{
    tr_buf_free(&cli->below);
    cli->below = *lines;
    *lines = (struct tr_buf){ 0 };
}

static void remark(struct cli *cli, const char *text)
{
    struct line l = { .len = 0 };

    add(&l, cli->name);
    add_part(&l, text);
    pthread_mutex_lock(&cli->lock);
    print(cli, &l);
    pthread_mutex_unlock(&cli->lock);
}

void cli_note(struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    char text[sizeof cli->remarks[0]];

    if (!cli->common.verbose)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    remark(cli, text);
}

void cli_remark(struct cli *cli, const char *fmt, ...)
{
    va_list ap;

    if (cli->n_remarks == CLI_MAX_REMARKS)
        return;
    va_start(ap, fmt);
    vsnprintf(cli->remarks[cli->n_remarks++], sizeof cli->remarks[0], fmt, ap);
    va_end(ap);
}

void cli__remarks_end(struct cli *cli)
{
    for (size_t i = 0; i < cli->n_remarks; i++)
        remark(cli, cli->remarks[i]);
}

static void print_warning(struct cli *cli, const char *input, const char *place, const char *what)
{
    struct line l = { .len = 0 };
    add(&l, cli->name);
    add(&l, ": warning");
    add_part(&l, input);
    add_part(&l, place);
    add_part(&l, what);
    print(cli, &l);
}

/* The record of this kind of warning; NULL: out of memory, then it is shown and not counted. */
static struct cli_warning *find_warning(struct cli *cli, const char *input, const char *what)
{
    for (size_t i = 0; i < cli->n_warnings; i++)
        if (strcmp(cli->warnings[i].what, what) == 0)
            return &cli->warnings[i];
    struct cli_warning w = { strdup(input), strdup(what), 0 };
    if (!w.input || !w.what ||
        !tr_grow(&cli->warnings, &cli->cap_warnings, cli->n_warnings + 1, sizeof w)) {
        free(w.input);
        free(w.what);
        return NULL;
    }
    cli->warnings[cli->n_warnings] = w;
    return &cli->warnings[cli->n_warnings++];
}

void cli_warn(struct cli *cli, const char *input, const char *place, const char *what)
{
    if (cli->common.quiet)
        return;
    pthread_mutex_lock(&cli->lock);
    struct cli_warning *w = find_warning(cli, input, what);
    if (w && strcmp(w->input, input) != 0)
        w->input[0] = '\0'; /* from several inputs: the count at the end is of all of them */
    if (!w || w->n++ < MAX_SHOWN)
        print_warning(cli, input, place, what);
    pthread_mutex_unlock(&cli->lock);
}

void cli__warnings_end(struct cli *cli)
{
    pthread_mutex_lock(&cli->lock);
    for (size_t i = 0; i < cli->n_warnings; i++) {
        struct cli_warning *w = &cli->warnings[i];
        if (w->n > MAX_SHOWN) {
            char text[700];
            snprintf(text, sizeof text, "%.600s: %" PRIu64 " more", w->what, w->n - MAX_SHOWN);
            print_warning(cli, w->input, "", text);
        }
        free(w->input);
        free(w->what);
    }
    free(cli->warnings);
    cli->warnings = NULL;
    cli->n_warnings = cli->cap_warnings = 0;
    pthread_mutex_unlock(&cli->lock);
}
