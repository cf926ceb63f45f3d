/* SPDX-License-Identifier: MIT */
/*
 * The stream format's samples: those in accept/ give the text beside them, those in reject/ the
 * refusal that reject.tsv names, and the bytes in tr-stream(5) are those of accept/example.trs.
 *
 *     spec_check [--update] [SPEC_DIRECTORY [PAGE]]
 *
 * The folder defaults to spec in $srcdir, the page to ../man/tr-stream.5 there.  --update writes
 * accept/NAME.txt and prints reject.tsv, for a look at what has changed.
 */
#include "spec_make.h"

#include <ctype.h>

static bool load(const char *path, struct tr_buf *out)
{
    char piece[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        NEED(tr_buf_add(out, piece, n));
    bool good = !ferror(f);
    fclose(f);
    return good;
}

static enum tr_status judge(const struct tr_buf *stream, struct tr_buf *text, struct tr_error *err)
{
    struct memory_source source = { .data = stream->data, .len = stream->len };
    *err = (struct tr_error)TR_ERROR_INIT;
    return read_text(&source, text, err);
}

static void check_accept(struct tap *t, const char *dir, const char *name, bool update)
{
    char path[1024];
    struct tr_buf stream = { NULL, 0, 0 }, want = { NULL, 0, 0 }, have = { NULL, 0, 0 };
    struct tr_error err;
    snprintf(path, sizeof path, "%s/accept/%s.trs", dir, name);
    bool good = load(path, &stream);
    good = good && judge(&stream, &have, &err) == TR_END;
    snprintf(path, sizeof path, "%s/accept/%s.txt", dir, name);
    if (update) {
        FILE *f = fopen(path, "wb");
        NEED(f && fwrite(have.data, 1, have.len, f) == have.len && fclose(f) == 0);
    }
    tap_ok(t, good && load(path, &want) && same_bytes(&want, &have),
           "accept/%s is read as its text says", name);
    tr_buf_free(&stream);
    tr_buf_free(&want);
    tr_buf_free(&have);
}

/* The line of reject.tsv that starts with a name, after the tab; "" if there is none. */
static void find_refusal(const struct tr_buf *list, const char *name, char *out, size_t cap)
{
    const char *p = (const char *)list->data, *end = p + list->len;
    size_t len = strlen(name);
    out[0] = '\0';
    while (p < end) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        if (!eol)
            eol = end;
        if ((size_t)(eol - p) > len && memcmp(p, name, len) == 0 && p[len] == '\t')
            snprintf(out, cap, "%.*s", (int)(eol - p - (ptrdiff_t)len - 1), p + len + 1);
        p = eol + 1;
    }
}

static void check_reject(struct tap *t, const char *dir, const char *name,
                         const struct tr_buf *list, bool update)
{
    char path[1024], want[1024], have[1024];
    struct tr_buf stream = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    snprintf(path, sizeof path, "%s/reject/%s.trs", dir, name);
    enum tr_status st = load(path, &stream) ? judge(&stream, NULL, &err) : TR_SYSTEM;
    snprintf(have, sizeof have, "%s%s%s", err.place, err.place[0] ? ": " : "", err.what);
    if (update)
        fprintf(stderr, "%s\t%s\n", name, have);
    find_refusal(list, name, want, sizeof want);
    tap_ok(t, st == TR_DAMAGED && strcmp(want, have) == 0, "reject/%s: %s", name, have);
    if (strcmp(want, have) != 0)
        printf("# expected: %s\n", want);
    tr_buf_free(&stream);
}

#define MINOR_AT 10u /* byte of the preamble */

/* Are the samples of an earlier minor version?  The first one says so: others may be damaged there. */
static bool are_earlier(const char *dir)
{
    char path[1024];
    struct tr_buf file = { NULL, 0, 0 };
    snprintf(path, sizeof path, "%s/accept/example.trs", dir);
    bool earlier = load(path, &file) && file.len > MINOR_AT && file.data[MINOR_AT] < TR_FORMAT_MINOR;
    tr_buf_free(&file);
    return earlier;
}

/*
 * The committed sample is what is made today.  One of an earlier minor version is not: then what is made today is
 * accepted or refused as it is.
 */
static void check_made(struct tap *t, const char *dir, size_t i)
{
    char path[1024];
    struct tr_buf file = { NULL, 0, 0 }, made = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s/%s.trs", dir, spec_samples[i].good ? "accept" : "reject",
             spec_samples[i].name);
    spec_samples[i].make(&made);
    bool loaded = load(path, &file);
    if (loaded && are_earlier(dir)) {
        enum tr_status st = judge(&made, NULL, &err);
        tap_ok(t, st == (spec_samples[i].good ? TR_END : TR_DAMAGED), "%s of today's version is %s",
               spec_samples[i].name, spec_samples[i].good ? "accepted" : "refused");
    } else {
        tap_ok(t, loaded && same_bytes(&file, &made), "%s is what is written today", spec_samples[i].name);
    }
    tr_buf_free(&file);
    tr_buf_free(&made);
}

/*
 * The bytes of the page: lines between .Bd and .Ed that start with an offset of four hexadecimal
 * digits, two blanks, and then hold up to 16 bytes; what follows two more blanks is explanation.
 */
static void page_bytes(const struct tr_buf *page, struct tr_buf *out)
{
    const char *p = (const char *)page->data, *end = p + page->len;
    while (p < end) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        unsigned offset, byte;
        int used = 0;
        if (!eol)
            eol = end;
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)(eol - p), p);
        if (strlen(line) > 6 && sscanf(line, "%4x %n", &offset, &used) == 1 && used == 6 &&
            offset == out->len) {
            const char *q = line + used;
            while (isxdigit((unsigned char)q[0]) && isxdigit((unsigned char)q[1]) &&
                   (q[2] == ' ' || q[2] == '\0') && sscanf(q, "%2x", &byte) == 1) {
                unsigned char b = (unsigned char)byte;
                NEED(tr_buf_add(out, &b, 1));
                q += q[2] == ' ' ? 3 : 2;
                if (*q == ' ')
                    break;
            }
        }
        p = eol + 1;
    }
}

static void check_page(struct tap *t, const char *dir, const char *path)
{
    char sample[1024];
    struct tr_buf page = { NULL, 0, 0 }, file = { NULL, 0, 0 }, bytes = { NULL, 0, 0 };
    snprintf(sample, sizeof sample, "%s/accept/example.trs", dir);
    bool good = load(path, &page) && load(sample, &file);
    page_bytes(&page, &bytes);
    tap_ok(t, good && file.len > 0 && same_bytes(&bytes, &file),
           "the %zu bytes in tr-stream(5) are the %zu of accept/example.trs", bytes.len, file.len);
    tr_buf_free(&page);
    tr_buf_free(&file);
    tr_buf_free(&bytes);
}

int main(int argc, char **argv)
{
    struct tap t = { 0, 0 };
    const char *src = getenv("srcdir");
    char dir[900], page[1000], path[1000];
    bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    argv += update;
    argc -= update;
    snprintf(dir, sizeof dir, "%s/spec", src ? src : ".");
    if (argc > 1)
        snprintf(dir, sizeof dir, "%s", argv[1]);
    snprintf(page, sizeof page, "%s/../man/tr-stream.5", src ? src : ".");
    if (argc > 2)
        snprintf(page, sizeof page, "%s", argv[2]);
    struct tr_buf list = { NULL, 0, 0 };
    snprintf(path, sizeof path, "%s/reject.tsv", dir);
    tap_ok(&t, load(path, &list), "the list of refusals is there");
    for (size_t i = 0; i < sizeof spec_samples / sizeof *spec_samples; i++) {
        if (spec_samples[i].good)
            check_accept(&t, dir, spec_samples[i].name, update);
        else
            check_reject(&t, dir, spec_samples[i].name, &list, update);
        if (!spec_samples[i].packed && spec_samples[i].make)
            check_made(&t, dir, i);
    }
    check_page(&t, dir, page);
    tr_buf_free(&list);
    return tap_end(&t);
}
