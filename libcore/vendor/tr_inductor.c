/* SPDX-License-Identifier: MIT */
/* Kernels of inductor: names, and generated code. */
#include "vendor/tr_inductor.h"

#include "base/tr_strtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCES_MAX 400u /* bytes of the lines that define a kernel */

/* ---- names ---- */

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

struct tr_str tr_inductor_fused(struct tr_str kernel)
{
    static const char start[] = "triton_", fused[] = "_fused_";
    size_t kind = sizeof start - 1, end = kernel.len;
    if (!kernel.s || kernel.len < kind || memcmp(kernel.s, start, kind) != 0)
        return tr_str_of(NULL);
    while (kind < kernel.len && kernel.s[kind] >= 'a' && kernel.s[kind] <= 'z')
        kind++;
    if (kernel.len - kind <= sizeof fused - 1 || memcmp(kernel.s + kind, fused, sizeof fused - 1) != 0)
        return tr_str_of(NULL);
    while (end && digit(kernel.s[end - 1]))
        end--;
    kind += sizeof fused - 1;
    if (end == kernel.len || end <= kind || kernel.s[end - 1] != '_')
        return tr_str_of(NULL);
    return (struct tr_str){ kernel.s + kind, end - 1 - kind };
}

/* The length of the words at the start of a text, n of them; those before the first _ can be empty.  0: fewer words. */
static size_t words(struct tr_str s, size_t n)
{
    size_t i = 0;
    while (i < s.len && s.s[i] == '_')
        i++;
    for (; i < s.len; i++)
        if (s.s[i] == '_' && --n == 0)
            return i;
    return n == 1 ? s.len : 0;
}

bool tr_inductor_split(struct tr_str joined, bool (*known)(void *self, struct tr_str name), void *self,
                       struct tr_buf *out)
{
    bool ok = true;
    for (bool first = true; ok && joined.len; first = false) {
        size_t len = words(joined, 1), n;
        len = len ? len : joined.len;
        for (size_t w = 1; (n = words(joined, w)) > 0; w++)
            if (known(self, (struct tr_str){ joined.s, n }))
                len = n;
        ok = (first || tr_buf_add(out, ", ", 2)) && tr_buf_add(out, joined.s, len);
        joined.s += len + (len < joined.len);
        joined.len -= len + (len < joined.len);
    }
    return ok;
}

/* ---- generated code ---- */

struct tr_inductor {
    struct tr_arena *arena;
    struct tr_strtab *names;
    struct kernel {
        struct tr_inductor_kernel of;
        bool defined; /* by code that calls it, not only by its own */
    } *kernels; /* by name */
    size_t n, cap;
};

struct tr_inductor *tr_inductor_new(void)
{
    struct tr_inductor *c = calloc(1, sizeof *c);
    if (c && (c->arena = tr_arena_new(1 << 14)) && (c->names = tr_strtab_new()))
        return c;
    tr_inductor_free(c);
    return NULL;
}

void tr_inductor_free(struct tr_inductor *c)
{
    if (!c)
        return;
    tr_strtab_free(c->names);
    tr_arena_free(c->arena);
    free(c->kernels);
    free(c);
}

size_t tr_inductor_count(const struct tr_inductor *c)
{
    return c->n;
}

const struct tr_inductor_kernel *tr_inductor_find(const struct tr_inductor *c, struct tr_str kernel)
{
    uint32_t id = kernel.s ? tr_strtab_find(c->names, kernel.s, kernel.len) : TR_NO_STR;
    return id == TR_NO_STR ? NULL : &c->kernels[id].of;
}

static bool copy_text(struct tr_inductor *c, struct tr_str *text)
{
    char *copy = tr_arena_alloc(c->arena, text->len + 1);
    if (!copy)
        return false;
    memcpy(copy, text->s, text->len);
    copy[text->len] = '\0';
    text->s = copy;
    return true;
}

/* A kernel is defined in a line of a file.  One name can be that of kernels of several graphs. */
static bool add_kernel(struct tr_inductor *c, struct tr_str name, struct tr_str ops, struct tr_str file, unsigned line,
                       bool defined)
{
    uint32_t id = tr_strtab_add(c->names, name.s, name.len);
    char at[24];
    struct tr_buf sources = { 0 };
    if (id == TR_NO_STR || !tr_grow(&c->kernels, &c->cap, (size_t)id + 1, sizeof *c->kernels))
        return false;
    for (; c->n <= id; c->n++)
        c->kernels[c->n] = (struct kernel){ .defined = false };
    struct kernel *k = &c->kernels[id];
    if (k->defined && !defined)
        return true;
    if (defined && !k->defined)
        k->of.sources = tr_str_of(NULL);
    k->defined = defined;
    snprintf(at, sizeof at, ":%u", line);
    bool full = k->of.sources.len > SOURCES_MAX;
    bool ok = (!k->of.sources.len || (tr_buf_add_text(&sources, k->of.sources) && tr_buf_add(&sources, "; ", 2))) &&
              tr_buf_add_text(&sources, file) && tr_buf_add_str(&sources, at);
    if (ok && !full) {
        k->of.sources = (struct tr_str){ (const char *)sources.data, sources.len };
        ok = copy_text(c, &k->of.sources);
    }
    tr_buf_free(&sources);
    if (ok && !k->of.ops.s && ops.s)
        ok = copy_text(c, &ops) && (k->of.ops = ops, true);
    return ok;
}

static bool begins(struct tr_str s, const char *what)
{
    return s.len >= strlen(what) && memcmp(s.s, what, strlen(what)) == 0;
}

static const char *find(struct tr_str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.len; i++)
        if (memcmp(s.s + i, what, n) == 0)
            return s.s + i;
    return NULL;
}

/* The operators of a comment, without "aten.": they are between brackets. */
static bool take_ops(struct tr_str line, struct tr_buf *ops)
{
    static const char title[] = "Original ATen: [", own[] = "aten.";
    const char *at = find(line, title);
    const char *end = at ? memchr(at, ']', (size_t)(line.s + line.len - at)) : NULL;
    if (!end)
        return true;
    ops->len = 0;
    bool ok = true;
    for (at += sizeof title - 1; ok && at < end;) {
        if ((size_t)(end - at) >= sizeof own - 1 && memcmp(at, own, sizeof own - 1) == 0)
            at += sizeof own - 1;
        const char *next = memchr(at, ' ', (size_t)(end - at));
        next = next ? next + 1 : end;
        ok = tr_buf_add(ops, at, (size_t)(next - at));
        at = next;
    }
    return ok;
}

bool tr_inductor_read(struct tr_inductor *c, struct tr_str name, const char *text, size_t len)
{
    static const char defined[] = " = async_compile.triton(", own[] = "def triton_";
    struct tr_buf ops = { 0 };
    bool ok = true;
    unsigned number = 0;
    for (size_t at = 0, n; ok && at < len; at += n + 1) {
        const char *end = memchr(text + at, '\n', len - at);
        n = end ? (size_t)(end - text) - at : len - at;
        const struct tr_str line = { text + at, n };
        const char *is = begins(line, "triton_") ? find(line, defined) : NULL;
        const char *bracket = begins(line, own) ? memchr(line.s, '(', line.len) : NULL;
        number++;
        if (begins(line, "#"))
            ok = take_ops(line, &ops);
        const struct tr_str known = { ops.len ? (const char *)ops.data : NULL, ops.len };
        if (is)
            ok = add_kernel(c, (struct tr_str){ line.s, (size_t)(is - line.s) }, known, name, number, true);
        else if (bracket)
            ok = add_kernel(c, (struct tr_str){ line.s + 4, (size_t)(bracket - line.s) - 4 }, tr_str_of(NULL), name,
                            number, false);
        if (is)
            ops.len = 0;
    }
    tr_buf_free(&ops);
    return ok;
}
