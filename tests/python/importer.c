/* SPDX-License-Identifier: MIT */
/*
 * A strict importer of Arrow: it takes over what it is given, as the C data and stream interfaces allow, checks all that
 * they say of it, and releases it in the least comfortable order.
 *
 * Both functions return the number of rows, or -1 with the reason in why.
 */
#include "tracepipe.h"

#include <stdio.h>
#include <string.h>

static bool fail(char *why, size_t size, const char *what, const char *name)
{
    if (!*why)
        snprintf(why, size, "%s: %s", name ? name : "?", what);
    return false;
}

/* Is it UTF-8, without surrogates, and as short as possible? */
static bool is_utf8(const unsigned char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t more = s[i] < 0x80                    ? 0
                      : s[i] >= 0xc2 && s[i] < 0xe0 ? 1
                      : (s[i] & 0xf0) == 0xe0       ? 2
                      : s[i] >= 0xf0 && s[i] < 0xf5 ? 3
                                                    : SIZE_MAX;
        if (more == SIZE_MAX || i + more >= n)
            return false;
        if ((s[i] == 0xe0 && s[i + 1] < 0xa0) || (s[i] == 0xed && s[i + 1] > 0x9f) || (s[i] == 0xf0 && s[i + 1] < 0x90) ||
            (s[i] == 0xf4 && s[i + 1] > 0x8f))
            return false;
        for (size_t k = 1; k <= more; k++)
            if ((s[i + k] & 0xc0) != 0x80)
                return false;
        i += more + 1;
    }
    return true;
}

static bool check_texts(const struct ArrowArray *a, const char *name, char *why, size_t size)
{
    const int64_t *at = a->buffers[1];
    const unsigned char *data = a->buffers[2];
    if (a->n_buffers != 3 || !at || !data)
        return fail(why, size, "texts have three buffers", name);
    for (int64_t i = 0; i < a->length; i++)
        if (at[i] < 0 || at[i + 1] < at[i] || !is_utf8(data + at[i], (size_t)(at[i + 1] - at[i])))
            return fail(why, size, "a text is not UTF-8, or its offsets go back", name);
    return true;
}

static bool check_column(const struct ArrowSchema *s, const struct ArrowArray *a, int64_t length, char *why, size_t size)
{
    int64_t n_null = 0;
    if (!s->release || !a->release)
        return fail(why, size, "it has been released", s->name);
    if (!s->format || !s->name || strlen(s->format) != 1 || !strchr("lLgU", s->format[0]))
        return fail(why, size, "an unknown type", s->name);
    if (s->n_children || a->n_children || s->dictionary || a->dictionary || a->offset || a->length != length)
        return fail(why, size, "not a plain column of all rows", s->name);
    if (!a->buffers || !a->buffers[0])
        return fail(why, size, "no bits of validity", s->name);
    for (int64_t i = 0; i < length; i++)
        n_null += !(((const unsigned char *)a->buffers[0])[i / 8] >> i % 8 & 1);
    if (n_null != a->null_count || (n_null && !(s->flags & ARROW_FLAG_NULLABLE)))
        return fail(why, size, "another number of nulls than is said", s->name);
    if (s->format[0] == 'U')
        return check_texts(a, s->name, why, size);
    return a->n_buffers == 2 && a->buffers[1] ? true : fail(why, size, "numbers have two buffers", s->name);
}

static bool check_batch(const struct ArrowSchema *s, const struct ArrowArray *a, char *why, size_t size)
{
    bool ok = strcmp(s->format, "+s") == 0 && s->n_children == a->n_children && a->n_buffers == 1 && !a->offset &&
              a->null_count == 0;
    if (!ok)
        fail(why, size, "not a record batch", "batch");
    for (int64_t i = 0; i < s->n_children && ok; i++)
        ok = check_column(s->children[i], a->children[i], a->length, why, size);
    return ok;
}

/* Move each other column out, release the parent, use what was moved, and release that. */
static bool tear_array(struct ArrowArray *a, char *why, size_t size)
{
    struct ArrowArray moved[64];
    int64_t n = 0, length = a->length;
    for (int64_t i = 0; i < a->n_children && n < 64; i += 2) {
        moved[n++] = *a->children[i];
        a->children[i]->release = NULL;
    }
    a->release(a);
    if (a->release)
        return fail(why, size, "released, and not marked as released", "batch");
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *bits = moved[i].buffers[0];
        bool rows = false;
        for (int64_t row = 0; row < length; row++)
            rows |= bits[row / 8] >> row % 8 & 1;
        if (moved[i].length != length || (!rows && moved[i].null_count != length))
            return fail(why, size, "a column that was moved changed", "batch");
        moved[i].release(&moved[i]);
    }
    return true;
}

static void tear_schema(struct ArrowSchema *s)
{
    struct ArrowSchema first = { .release = NULL };
    if (s->n_children) {
        first = *s->children[0];
        s->children[0]->release = NULL;
    }
    s->release(s);
    if (first.release)
        first.release(&first);
}

/* The structs of a pair of capsules: taken over, so that the capsules have nothing to release. */
int64_t take_array(struct ArrowSchema *schema, struct ArrowArray *array, char *why, size_t size)
{
    struct ArrowSchema s = *schema;
    struct ArrowArray a = *array;
    int64_t rows = array->length;
    schema->release = NULL;
    array->release = NULL;
    bool ok = s.release && a.release && check_batch(&s, &a, why, size);
    ok = tear_array(&a, why, size) && ok;
    tear_schema(&s);
    return ok ? rows : -1;
}

int64_t take_stream(struct ArrowArrayStream *given, int64_t stop_after, char *why, size_t size)
{
    struct ArrowArrayStream stream = *given;
    struct ArrowSchema first = { .release = NULL }, again;
    struct ArrowArray array;
    int64_t rows = 0, batches = 0;
    bool ok = true;
    given->release = NULL;
    if (stream.get_schema(&stream, &first) != 0 || stream.get_schema(&stream, &again) != 0) {
        const char *said = stream.get_last_error(&stream);
        fail(why, size, said ? said : "no reason", "schema");
        stream.release(&stream);
        return -1;
    }
    tear_schema(&again);
    while (ok) {
        int failed = stream.get_next(&stream, &array);
        if (failed) {
            const char *said = stream.get_last_error(&stream);
            ok = fail(why, size, said ? said : "no reason", "stream");
            break;
        }
        if (!array.release || (stop_after && batches++ == stop_after))
            break;
        rows += array.length;
        ok = check_batch(&first, &array, why, size);
        ok = tear_array(&array, why, size) && ok;
    }
    if (stop_after && array.release)
        array.release(&array);
    tear_schema(&first);
    stream.release(&stream);
    return ok && !stream.release ? rows : -1;
}
