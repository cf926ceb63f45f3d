/* SPDX-License-Identifier: MIT */
/* Profiles as folded stacks, and for speedscope. */
#include "base/tr_escape.h"
#include "json/tr_json_write.h"
#include "profile/tr_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The frames of the stack that a walk in order is in, as text: that of a node ends at its depth's end. */
struct path {
    struct tr_buf text;
    size_t *ends; /* by depth */
    size_t cap;
};

static void path_free(struct path *path)
{
    tr_buf_free(&path->text);
    free(path->ends);
}

/* Go back to the frames around a node.  False: out of memory. */
static bool path_enter(struct path *path, unsigned depth)
{
    if (!tr_grow(&path->ends, &path->cap, depth + (size_t)1, sizeof *path->ends))
        return false;
    path->text.len = depth > 1 ? path->ends[depth - 1] : 0;
    return true;
}

/* ---- folded ---- */

static bool add_name(struct tr_buf *out, struct tr_str name)
{
    bool ok = name.len || tr_buf_add_str(out, "(no name)");
    for (size_t i = 0, n; ok && i < name.len; i += n) {
        bool plain = tr_escape_plain(name.s + i, name.len - i, &n) && name.s[i] != ';';
        ok = plain ? tr_buf_add(out, name.s + i, n) : tr_escape_bytes(out, name.s + i, n);
    }
    return ok;
}

/* The last blank before a number that ends the text: readers would take it for a weight.  SIZE_MAX: there is none. */
static size_t blank_before_number(const struct tr_buf *text)
{
    size_t i = text->len;
    while (i && ((text->data[i - 1] >= '0' && text->data[i - 1] <= '9') || text->data[i - 1] == '.'))
        i--;
    return i && i < text->len && text->data[i - 1] == ' ' ? i - 1 : SIZE_MAX;
}

static bool add_stack(struct tr_buf *out, const struct tr_buf *text)
{
    size_t blank = blank_before_number(text);
    if (blank == SIZE_MAX)
        return tr_buf_add(out, text->data, text->len);
    return tr_buf_add(out, text->data, blank) && tr_escape_bytes(out, " ", 1) &&
           tr_buf_add(out, text->data + blank + 1, text->len - blank - 1);
}

enum tr_status tr_profile_folded(const struct tr_profile *p, const struct tr_profile_about *about, struct tr_buf *out,
                                 struct tr_error *err)
{
    struct path path = { .cap = 0 };
    bool ok = true;
    for (size_t i = 1; ok && i < tr_profile_count(p); i++) {
        uint32_t node = tr_profile_ordered(p, i);
        unsigned depth = tr_profile_depth(p, node);
        int64_t test = tr_profile_self(p, node, TR_PROFILE_TEST, about->weight);
        int64_t base = tr_profile_self(p, node, TR_PROFILE_BASE, about->weight);
        ok = path_enter(&path, depth) && (depth == 1 || tr_buf_add_str(&path.text, ";")) &&
             add_name(&path.text, tr_profile_name(p, node));
        if (ok)
            path.ends[depth] = path.text.len;
        if (!ok || (!test && !(about->compared && base)))
            continue;
        ok = add_stack(out, &path.text);
        if (ok && about->compared)
            ok = tr_buf_print(out, " %" PRId64, base);
        ok = ok && tr_buf_print(out, " %" PRId64 "\n", test);
    }
    path_free(&path);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- speedscope ---- */

/* A frame is a distinct name. */
struct frames {
    uint32_t *of; /* by node */
    struct tr_strtab *names;
};

static bool add_frames(const struct tr_profile *p, struct frames *f, struct tr_json_doc *j)
{
    bool ok = true;
    for (size_t i = 1; ok && i < tr_profile_count(p); i++) {
        uint32_t node = tr_profile_ordered(p, i);
        struct tr_str name = tr_profile_name(p, node);
        uint32_t had = tr_strtab_count(f->names);
        f->of[node] = tr_strtab_add(f->names, name.s, name.len);
        ok = f->of[node] != TR_NO_STR;
        if (ok && f->of[node] == had)
            ok = tr_json_doc_open(j, '{') && tr_json_doc_key(j, tr_str_of("name")) && tr_json_doc_str(j, name) &&
                 tr_json_doc_close(j);
    }
    return ok;
}

static bool add_samples(const struct tr_profile *p, const struct frames *f, enum tr_profile_side side,
                        enum tr_profile_weight weight, struct tr_json_doc *j)
{
    struct path path = { .cap = 0 };
    bool ok = tr_json_doc_key(j, tr_str_of("samples")) && tr_json_doc_open(j, '[');
    for (size_t i = 1; ok && i < tr_profile_count(p); i++) {
        uint32_t node = tr_profile_ordered(p, i);
        unsigned depth = tr_profile_depth(p, node);
        ok = path_enter(&path, depth) && (depth == 1 || tr_buf_add_str(&path.text, ",")) &&
             tr_json_add_u64(&path.text, f->of[node]);
        if (ok)
            path.ends[depth] = path.text.len;
        if (ok && tr_profile_self(p, node, side, weight))
            ok = tr_json_doc_next(j) && tr_buf_add_str(j->out, "[") &&
                 tr_buf_add(j->out, path.text.data, path.text.len) && tr_buf_add_str(j->out, "]");
    }
    ok = ok && tr_json_doc_close(j) && tr_json_doc_key(j, tr_str_of("weights")) && tr_json_doc_open(j, '[');
    for (size_t i = 1; ok && i < tr_profile_count(p); i++) {
        int64_t value = tr_profile_self(p, tr_profile_ordered(p, i), side, weight);
        ok = !value || tr_json_doc_i64(j, value);
    }
    path_free(&path);
    return ok && tr_json_doc_close(j);
}

static bool add_profile(const struct tr_profile *p, const struct frames *f, enum tr_profile_side side,
                        enum tr_profile_weight weight, bool compared, struct tr_json_doc *j)
{
    static const char *const units[] = { "nanoseconds", "nanoseconds", "none", "bytes" };
    char name[40] = "";
    if (compared)
        strcpy(name, side == TR_PROFILE_BASE ? "base: " : "test: ");
    strcat(name, tr_profile_weight_names[weight]);
    return tr_json_doc_open(j, '{') && tr_json_doc_key(j, tr_str_of("type")) &&
           tr_json_doc_str(j, tr_str_of("sampled")) && tr_json_doc_key(j, tr_str_of("name")) &&
           tr_json_doc_str(j, tr_str_of(name)) && tr_json_doc_key(j, tr_str_of("unit")) &&
           tr_json_doc_str(j, tr_str_of(units[weight])) && tr_json_doc_key(j, tr_str_of("startValue")) &&
           tr_json_doc_i64(j, 0) && tr_json_doc_key(j, tr_str_of("endValue")) &&
           tr_json_doc_i64(j, tr_profile_total(p, TR_PROFILE_ROOT, side, weight)) &&
           add_samples(p, f, side, weight, j) && tr_json_doc_close(j);
}

/* Each weight that there is, and that of about in any case. */
static bool add_profiles(const struct tr_profile *p, const struct tr_profile_about *about, const struct frames *f,
                         struct tr_json_doc *j)
{
    int64_t n = 0, shown = 0;
    bool ok = tr_json_doc_key(j, tr_str_of("profiles")) && tr_json_doc_open(j, '[');
    for (unsigned w = 0; ok && w < TR_N_PROFILE_WEIGHTS; w++)
        for (unsigned side = 0; ok && side <= about->compared; side++) {
            enum tr_profile_side as = (enum tr_profile_side)side;
            enum tr_profile_weight weight = (enum tr_profile_weight)w;
            bool any = tr_profile_total(p, TR_PROFILE_ROOT, TR_PROFILE_TEST, weight) ||
                       tr_profile_total(p, TR_PROFILE_ROOT, TR_PROFILE_BASE, weight);
            if (!any && weight != about->weight)
                continue;
            if (weight == about->weight && as == TR_PROFILE_TEST)
                shown = n;
            ok = add_profile(p, f, as, weight, about->compared, j);
            n++;
        }
    return ok && tr_json_doc_close(j) && tr_json_doc_key(j, tr_str_of("activeProfileIndex")) &&
           tr_json_doc_i64(j, shown);
}

enum tr_status tr_profile_speedscope(const struct tr_profile *p, const struct tr_profile_about *about,
                                     struct tr_buf *out, struct tr_error *err)
{
    static const char schema[] = "https://www.speedscope.app/file-format-schema.json";
    struct frames f = { calloc(tr_profile_count(p), sizeof *f.of), tr_strtab_new() };
    struct tr_json_doc j = { .out = out };
    bool ok = f.of && f.names && tr_json_doc_open(&j, '{') && tr_json_doc_key(&j, tr_str_of("$schema")) &&
              tr_json_doc_str(&j, tr_str_of(schema)) && tr_json_doc_key(&j, tr_str_of("exporter")) &&
              tr_json_doc_str(&j, tr_str_of("tracepipe")) && tr_json_doc_key(&j, tr_str_of("shared")) &&
              tr_json_doc_open(&j, '{') && tr_json_doc_key(&j, tr_str_of("frames")) && tr_json_doc_open(&j, '[') &&
              add_frames(p, &f, &j) && tr_json_doc_close(&j) && tr_json_doc_close(&j) &&
              add_profiles(p, about, &f, &j) && tr_json_doc_close(&j) && tr_buf_add_str(out, "\n");
    free(f.of);
    tr_strtab_free(f.names);
    return ok ? TR_OK : tr_fail_memory(err);
}
