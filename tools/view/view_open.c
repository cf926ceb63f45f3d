/* SPDX-License-Identifier: MIT */
/* tr-view --open: a trace for the page of Perfetto's viewer, or a page of tr-report, for a browser on this machine. */
#include "cli/cli_view.h"
#include "io/tr_io.h"
#include "view/view.h"
#include "view/view_serve.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define VIEWER      "https://ui.perfetto.dev"
#define VIEWER_PORT 9001 /* the only one that its page reads from */
#define MAX_PAGE    (1u << 30)

static enum tr_status to_temp(void *self, const void *bytes, size_t n, struct tr_error *err)
{
    return tr_temp_write(self, bytes, n, err);
}

/* Is the only operand a file that starts as a page? */
static bool is_page(const char *const *operands, size_t n)
{
    static const char start[] = "<!DOCTYPE html";
    struct tr_error ignored = TR_ERROR_INIT;
    struct stat sb;
    char bytes[sizeof start - 1];
    size_t got = 0;
    if (n != 1 || stat(operands[0], &sb) != 0 || !S_ISREG(sb.st_mode))
        return false;
    int fd = tr_open_fd(operands[0], O_RDONLY, 0);
    if (fd < 0)
        return false;
    enum tr_status st = tr_read_full(fd, bytes, sizeof bytes, &got, &ignored);
    close(fd);
    return st == TR_OK && strncasecmp(bytes, start, sizeof bytes) == 0;
}

static enum tr_status copy_page(const char *path, struct tr_temp *to, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(path, MAX_PAGE, &text, err);
    if (st == TR_OK)
        st = tr_temp_write(to, text.data, text.len, err);
    else
        tr_error_input(err, path);
    tr_buf_free(&text);
    return st;
}

/* Print the address to open. */
static enum tr_status print_address(struct cli *cli, const struct view_server *s, const struct view_served *what,
                                    struct tr_error *err)
{
    struct tr_buf line = { 0 };
    bool ok = (!what->origin || (tr_buf_add_str(&line, what->origin) && tr_buf_add_str(&line, "/#!/?url="))) &&
              view_server_address(s, what, &line) && tr_buf_add_str(&line, "\n");
    enum tr_status st = ok ? cli_write(cli, line.data, line.len, err) : tr_fail_memory(err);
    tr_buf_free(&line);
    return st;
}

static enum tr_status serve(struct cli *cli, struct view *v, struct view_server *s, struct tr_temp *bytes,
                            struct tr_error *err)
{
    const struct view_sink to = { .write = to_temp, .self = bytes };
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    bool page = is_page(operands, n);
    enum tr_status st = page ? copy_page(operands[0], bytes, err) : view_events(cli, v, &to, err);
    if (st == TR_OK)
        st = tr_temp_flush(bytes, err);
    struct view_served what = { .name = "trace.pftrace", .type = "application/octet-stream", .origin = VIEWER,
                                .bytes = bytes };
    if (page)
        what = (struct view_served){ .name = "report.html", .type = "text/html; charset=utf-8", .bytes = bytes };
    else if (st == TR_OK && v->port != VIEWER_PORT)
        cli_warn(cli, "", "option --port", "the viewer's page reads traces from port 9001 only");
    if (st == TR_OK)
        st = print_address(cli, s, &what, err);
    return st == TR_OK ? view_server_run(s, &what, v->keep, err) : st;
}

enum tr_status view_open(struct cli *cli, struct view *v, struct tr_error *err)
{
    struct view_server *s = NULL;
    struct tr_temp *bytes = NULL;
    enum tr_status st = view_server_new(&s, (uint16_t)v->port, err);
    if (st == TR_OK)
        st = tr_temp_open(&bytes, cli_temp_dir(cli), err);
    if (st == TR_OK)
        st = serve(cli, v, s, bytes, err);
    tr_temp_free(bytes);
    view_server_free(s);
    return st;
}
