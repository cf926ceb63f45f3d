/* SPDX-License-Identifier: MIT */
/* What a file says about itself: rank, host, time base.  Reports a file that is not a trace. */
#include "formats/chrome/tr_chrome_read_int.h"

#include "base/tr_num.h"
#include "formats/common/tr_dialect.h"
#include "formats/common/tr_metadata_rank.h"
#include "json/tr_json_tok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last header entry with this key, or NULL. */
static const struct tr__header_entry *header(const struct tr__file *f, const char *key)
{
    for (size_t i = f->n_header; i > 0; i--)
        if (!strcmp(f->header[i - 1].key, key))
            return &f->header[i - 1];
    return NULL;
}

/* An integer, plain or in quotes. */
static bool integer(const char *p, size_t n, int64_t *v)
{
    struct tr_number num;
    if (n >= 2 && p[0] == '"') {
        p++;
        n -= 2;
    }
    if (!tr_json_number(p, n, &num) || num.cls != TR_NUMBER_INT)
        return false;
    *v = num.i;
    return true;
}

/* *rank is negative if it is not in the metadata.  False: out of memory. */
static bool rank_in_metadata(const struct tr__file *f, int64_t *rank)
{
    const struct tr__header_entry *h = header(f, TR__RANK_MEMBER);
    *rank = -1;
    return !h || tr__metadata_rank(h->value, h->value_len, rank);
}

/*
 * What unitrace's names of processes say: "RANK 2 HOST<node1>", "RANK 2 DEVICE<node1>[...", without MPI
 * "HOST<node1>".
 */
struct claims {
    int64_t rank; /* -1: none, or several */
    struct tr_str host; /* empty: none, or several */
    bool any, ranks_differ, hosts_differ;
};

static bool starts(struct tr_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len < n || memcmp(s->s, word, n) != 0)
        return false;
    s->s += n;
    s->len -= n;
    return true;
}

static void hear_process(struct claims *claims, struct tr_str name)
{
    uint64_t number;
    int64_t rank = -1;
    if (starts(&name, "RANK ")) {
        size_t digits = tr_num_digits(name.s, name.len, INT64_MAX, &number, NULL);
        if (digits == 0 || digits == name.len || name.s[digits] != ' ')
            return;
        rank = (int64_t)number;
        name.s += digits + 1;
        name.len -= digits + 1;
    }
    if (!starts(&name, "HOST<") && !starts(&name, "DEVICE<") && !starts(&name, "HOST-OS-KMD<"))
        return;
    const char *end = name.len ? memchr(name.s, '>', name.len) : NULL;
    if (!end)
        return;
    name.len = (size_t)(end - name.s);
    claims->ranks_differ |= claims->any && claims->rank != rank;
    claims->hosts_differ |=
        claims->any && (claims->host.len != name.len || memcmp(claims->host.s, name.s, name.len) != 0);
    claims->any = true;
    claims->rank = claims->ranks_differ ? -1 : rank;
    claims->host = claims->hosts_differ ? (struct tr_str){ "", 0 } : name;
}

static struct claims hear_processes(const struct tr__source_state *l)
{
    struct claims claims = { .rank = -1, .host = { "", 0 } };
    for (size_t i = 0; i < l->file.n_names; i++) {
        const struct tr__track_name *t = &l->file.names[i];
        if (t->what != TR_NAME_PROCESS_NAME || t->text == TR_NO_STR)
            continue;
        const struct tr__text *text = &l->lanes[t->interner]->interner.texts[t->text];
        hear_process(&claims, (struct tr_str){ text->text, text->len });
    }
    return claims;
}

/* The inside of a string member, cut to fit. */
static void copy_text(const struct tr__header_entry *h, char *out, size_t size)
{
    if (h && h->value_len >= 2 && h->value[0] == '"')
        snprintf(out, size, "%.*s", (int)(h->value_len - 2 < size ? h->value_len - 2 : size - 1),
                 h->value + 1);
}

/* The keys of the outer object, for the message that the file is not a trace. */
static void list_keys(const struct tr__file *f, char *out, size_t size)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < f->n_header && i < 6 && len < size; i++) {
        int n = snprintf(out + len, size - len, "%s'%.40s'", i ? ", " : "", f->header[i].key);
        len += n > 0 ? (size_t)n : 0;
    }
    if (f->n_header > 6 && len < size)
        snprintf(out + len, size - len, ", ...");
}

static enum tr_status no_trace(const struct tr__chrome *c, const struct tr__file *f, struct tr_error *err)
{
    char keys[400];
    enum tr_status st;
    list_keys(f, keys, sizeof keys);
    if (!f->seen_events && header(f, "traceEvents"))
        st = tr_fail(err, TR_DAMAGED, "'traceEvents' is not an array: not a trace");
    else if (f->n_header > 0 && !f->seen_events)
        st = tr_fail(err, TR_DAMAGED, "no 'traceEvents' in this JSON object: not a trace (it has %s)", keys);
    else if (!c->seen_bracket)
        st = tr_fail(err, TR_DAMAGED, "not a trace: no JSON object or array");
    else if (f->bare_array)
        st = tr_fail(err, TR_DAMAGED, "not a trace: the JSON array holds no event object");
    else
        st = tr_fail(err, TR_DAMAGED, "no event could be read");
    tr_error_input(err, f->name);
    return st;
}

enum tr_status tr__chrome_understand(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err)
{
    struct tr__file *f = &l->file;
    const struct tr__header_entry *base = header(f, "baseTimeNanoseconds");
    int64_t rank, base_ns;
    bool lost = f->damage.n[TR_DAMAGE_BAD_EVENT] || f->damage.n[TR_DAMAGE_TRUNCATED] ||
                f->damage.n[TR_DAMAGE_NOT_AN_OBJECT] || f->damage.n[TR_DAMAGE_TOO_LONG];
    if (!f->seen_events && !f->bare_array)
        return no_trace(c, f, err);
    if (f->sum.n_events == 0 && lost)
        return no_trace(c, f, err);
    if (!rank_in_metadata(f, &rank))
        return tr_fail_memory(err);
    const struct claims claims = hear_processes(l);
    const struct tr_dialect *dialect = tr__spoken_dialect(c->spoken);
    if (rank < 0)
        rank = dialect && dialect->rank ? dialect->rank(f->name) : claims.rank;
    tr__find_rank(l, rank);
    if (dialect && dialect->tables && !dialect->tables(f->name, &f->tables))
        return tr_fail_memory(err);
    if (base && integer(base->value, base->value_len, &base_ns))
        tr__set_base(f, base_ns);
    copy_text(header(f, "host_name"), f->host, sizeof f->host);
    if (!f->host[0])
        copy_text(header(f, "hostname"), f->host, sizeof f->host);
    if (!f->host[0] && claims.host.len < sizeof f->host) {
        memcpy(f->host, claims.host.s, claims.host.len);
        f->host[claims.host.len] = '\0';
    }
    bool kineto = header(f, "deviceProperties") || header(f, TR__RANK_MEMBER) || base ||
                  f->sum.n_activity[TR_ACT_CPU_OP];
    snprintf(f->format, sizeof f->format, "%s",
             dialect ? dialect->name : claims.any ? "unitrace" : kineto ? "kineto" : "chrome");
    return tr__spoken_steps(c->spoken, f) ? TR_OK : tr_fail_memory(err);
}
