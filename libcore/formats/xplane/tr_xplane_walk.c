/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: the walk through the fields of the file.
 *
 * Planes and lines can be larger than memory, so they are read through a window; their elements are read as a whole.
 * If an element is not valid, the rest of its line or plane is lost.  If a plane is not valid, the next one is
 * searched: a plane starts with its id or its name.
 */
#include "formats/xplane/tr_xplane_int.h"

enum { SPACE_ERROR = 2, SPACE_WARNING = 3, SPACE_HOST = 4 };
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINE = 3, PLANE_META = 4, PLANE_STAT_META = 5, PLANE_STAT = 6 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START = 3, LINE_DISPLAY_NAME = 11 };

#define WINDOW      ((size_t)1 << 20)
#define MAX_EVENT   ((size_t)16 << 20)
#define MAX_NAMES   ((size_t)256 << 20) /* an entry of names: programs are large */
#define MAX_NAME    200u                /* of a plane found by a search */
#define LONGEST_KEY 20u                 /* bytes of a field's number and its length */

enum took { TOOK, MORE, FAILED };

static void count(struct tr__xplane_reader *r, enum tr_damage_cause cause)
{
    if (r->block)
        tr__xplane_find_damage(r, cause);
    else
        tr_ingest_damaged(r->g, cause, tr__window_offset(&r->w));
}

/* Count damage in one walk only, because both walks meet it. */
static void damaged(struct tr__xplane_reader *r, enum tr_damage_cause cause)
{
    if (r->second)
        count(r, cause);
}

/* Is the kept data of the file within the limit? */
static bool within(const struct tr__xplane_reader *r)
{
    size_t n = tr_strtab_bytes(r->strings) + r->blob.cap + tr__hlo_bytes(r) + r->cap_lines * sizeof *r->lines +
               r->cap_planes * sizeof *r->planes + r->whole_planes + tr__xplane_bytes(&r->planes[r->n_planes - 1]);
    return n <= r->max_memory;
}

/* Pass on the errors and warnings of the profiler. */
static void pass_on(struct tr__xplane_reader *r, const char *what, struct tr__proto text)
{
    char line[400];
    size_t n = text.p ? (size_t)(text.end - text.p) : 0, len = strlen(what);
    if (!r->warn)
        return;
    memcpy(line, what, len);
    if (n > sizeof line - 1 - len)
        n = sizeof line - 1 - len;
    if (n)
        memcpy(line + len, text.p, n);
    line[len + n] = '\0';
    r->warn(r->warn_ctx, r->name, "", line);
}

static bool take_of_space(struct tr__xplane_reader *r, uint32_t field, struct tr__proto m)
{
    if (field == SPACE_ERROR)
        pass_on(r, "its profiler says: ", m);
    else if (field == SPACE_WARNING)
        pass_on(r, "its profiler warns: ", m);
    else if (field == SPACE_HOST && r->host == TR_NO_STR)
        return (r->host = tr__xplane_string(r, m.p, (size_t)(m.end - m.p))) != TR_NO_STR;
    return true;
}

/* An entry of a map: a key, and a message. */
static bool take_entry(struct tr__xplane_reader *r, struct tr__xplane *p, uint32_t field, struct tr__proto m)
{
    if (!(field == PLANE_META ? tr__xplane_meta(r, p, m) : tr__xplane_stat(r, p, m)))
        return tr__xplane_no_memory(r);
    if (!within(r)) {
        tr_fail(r->err, TR_SYSTEM, "its names need more memory than -M allows");
        return false;
    }
    return true;
}

static bool take_of_plane(struct tr__xplane_reader *r, uint32_t field, struct tr__proto m)
{
    struct tr__xplane *p = &r->planes[r->n_planes - 1];
    if (field == PLANE_NAME)
        return tr__xplane_named(r, p, m);
    if (field == PLANE_META || field == PLANE_STAT_META)
        return take_entry(r, p, field, m);
    unsigned char key = PLANE_STAT << 3 | TR__WIRE_BYTES, len[10];
    size_t n = (size_t)(m.end - m.p), k = 0;
    for (uint64_t v = n; k == 0 || v; v >>= 7)
        len[k++] = (unsigned char)((v & 127) | (v >> 7 ? 128 : 0));
    return (tr_buf_add(&p->own, &key, 1) && tr_buf_add(&p->own, len, k) && (!n || tr_buf_add(&p->own, m.p, n))) ||
           tr__xplane_no_memory(r);
}

static bool take_of_line(struct tr__xplane_reader *r, uint32_t field, struct tr__proto m)
{
    if (r->second) {
        struct tr__xplane *p = &r->planes[r->plane - 1];
        enum tr_status st = tr__xplane_event(r, p, &r->lines[r->line - 1], m);
        if (st == TR_END)
            damaged(r, TR_DAMAGE_BAD_EVENT);
        return st != TR_SYSTEM;
    }
    struct tr__xplane_line *line = &r->lines[r->n_lines - 1];
    if (field == LINE_EVENT)
        return tr__xplane_started(r, m);
    uint32_t *to = field == LINE_NAME ? &line->name : &line->display;
    return (*to = tr__xplane_string(r, m.p, (size_t)(m.end - m.p))) != TR_NO_STR;
}

/* Take a field that is read as a whole. */
static bool take(struct tr__xplane_reader *r, uint32_t field, struct tr__proto m)
{
    return r->depth == 0 ? take_of_space(r, field, m)
           : r->depth == 1 ? take_of_plane(r, field, m)
                           : take_of_line(r, field, m);
}

static void take_number(struct tr__xplane_reader *r, uint32_t field, uint64_t v)
{
    if (r->second || r->depth != 2)
        return;
    struct tr__xplane_line *line = &r->lines[r->n_lines - 1];
    if (field == LINE_ID)
        line->id = (int64_t)v;
    else if (field == LINE_START)
        line->start_ns = (int64_t)v;
}

/* Is a field needed in this walk? */
static bool needed(const struct tr__xplane_reader *r, uint32_t field)
{
    if (r->second)
        return r->depth == 2 && field == LINE_EVENT;
    if (r->depth == 0)
        return field >= SPACE_ERROR && field <= SPACE_HOST;
    if (r->depth == 1)
        return field == PLANE_NAME || (field >= PLANE_META && field <= PLANE_STAT);
    return field == LINE_NAME || field == LINE_DISPLAY_NAME ||
           (field == LINE_EVENT && tr__xplane_runs_aside(r, &r->lines[r->n_lines - 1]));
}

static bool enters(const struct tr__xplane_reader *r, uint32_t field)
{
    return (r->depth == 0 && field == SPACE_PLANE) || (r->depth == 1 && field == PLANE_LINE);
}

static bool enter(struct tr__xplane_reader *r)
{
    if (r->second) {
        size_t *at = r->depth == 0 ? &r->plane : &r->line;
        ++*at;
        if (r->depth == 1 && r->block)
            tr__xplane_find_line(r);
        else if (r->depth == 1)
            tr__xplane_name_line(r, &r->planes[r->plane - 1], &r->lines[r->line - 1]);
        return true;
    }
    if (r->depth == 0) {
        r->whole_planes += r->n_planes ? tr__xplane_bytes(&r->planes[r->n_planes - 1]) : 0;
        return tr__xplane_add(r) || tr__xplane_no_memory(r);
    }
    if (!tr_grow(&r->lines, &r->cap_lines, r->n_lines + 1, sizeof *r->lines))
        return tr__xplane_no_memory(r);
    r->lines[r->n_lines++] = (struct tr__xplane_line){ .name = TR_NO_STR, .display = TR_NO_STR };
    return true;
}

/* The bytes here are not valid: the rest of the line, the plane or the file is lost. */
static enum took lose(struct tr__xplane_reader *r, enum tr_damage_cause cause)
{
    damaged(r, cause);
    if (r->depth > 0) {
        r->skip = r->end[r->depth] - tr__window_offset(&r->w);
        return TOOK;
    }
    r->lost = true;
    r->w.at++;
    return TOOK;
}

static bool is_name(const unsigned char *p, size_t n)
{
    static const char *const starts[] = { "/host:", "/device:", "/virtualdevice:", "Task Environment", "Host CPUs",
                                          "Syscalls", "#Chip" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t len = strlen(starts[i]);
        if (n >= len && memcmp(p, starts[i], len) == 0)
            return true;
    }
    return false;
}

/* Does a plane start at p[0 .. n)?  Decided by its name. */
bool tr__xplane_plausible(const unsigned char *p, size_t n)
{
    uint64_t len = 0, v;
    const unsigned char *end = p + n, *at = n > 1 ? tr__proto_varint(p + 1, end, &len) : NULL;
    if (at && at < end && *at == (PLANE_ID << 3 | TR__WIRE_VARINT))
        at = tr__proto_varint(at + 1, end, &v);
    if (!at || at >= end || *at != (PLANE_NAME << 3 | TR__WIRE_BYTES) || !(at = tr__proto_varint(at + 1, end, &v)))
        return false;
    return v <= MAX_NAME && v < len && is_name(at, v < (uint64_t)(end - at) ? (size_t)v : (size_t)(end - at));
}

static enum took find_plane(struct tr__xplane_reader *r)
{
    const unsigned char *p = (const unsigned char *)r->w.p, *next = p + r->w.at, *end = p + r->w.n;
    while (next < end && (next = memchr(next, SPACE_PLANE << 3 | TR__WIRE_BYTES, (size_t)(end - next))) != NULL) {
        r->w.at = (size_t)(next - p);
        if ((size_t)(end - next) < 3 * LONGEST_KEY + MAX_NAME && !r->w.last) {
            r->want = WINDOW;
            return MORE;
        }
        if (tr__xplane_plausible(next, (size_t)(end - next))) {
            r->lost = false;
            return TOOK;
        }
        next++;
    }
    r->w.at = r->w.n;
    return MORE;
}

/* An event goes into the block as a whole field: its content starts after `used' bytes. */
static bool find_event(struct tr__xplane_reader *r, size_t used, size_t len)
{
    struct tr__xplane *p = &r->planes[r->plane - 1];
    const struct tr__xplane_line *line = &r->lines[r->line - 1];
    if (tr__xplane_seeks_steps(r, p, line))
        tr__xplane_note_steps(r, p, line, tr__proto_of(r->w.p + r->w.at + used, len));
    return tr__xplane_find_events(r, 1, used + len);
}

/* A field of bytes; its content starts `used' bytes after the place of the window. */
static enum took take_bytes(struct tr__xplane_reader *r, uint32_t field, uint64_t len, size_t used)
{
    size_t n = r->w.n - r->w.at;
    if (enters(r, field)) {
        uint64_t end = tr__window_offset(&r->w) + used + len;
        if (!enter(r))
            return FAILED;
        r->w.at += used;
        r->end[++r->depth] = end;
        return TOOK;
    }
    bool large = needed(r, field) && len > (r->second ? MAX_EVENT : MAX_NAMES);
    if (large)
        count(r, TR_DAMAGE_TOO_LONG);
    if (large || !needed(r, field)) {
        r->w.at += used;
        r->skip = len;
        return TOOK;
    }
    if (len > n - used) {
        if (!r->w.last) {
            r->want = used + (size_t)len + WINDOW;
            return MORE;
        }
        r->w.at = r->w.n;
        r->skip = 1; /* there would be more */
        return MORE;
    }
    if (!(r->block ? find_event(r, used, (size_t)len)
                   : take(r, field, tr__proto_of(r->w.p + r->w.at + used, (size_t)len))))
        return FAILED;
    r->w.at += used + (size_t)len;
    return TOOK;
}

/*
 * Short events, one after the other, that are whole in p[0 .. n): nearly all bytes of a file.  At most `most' of them,
 * up to the first that ends at or after `until'.  Returns their bytes.
 */
static size_t whole_events(const unsigned char *p, size_t n, size_t until, size_t max, size_t *n_events)
{
    size_t at = 0, k = 0;
    while (at < until && k < max && n - at > 2 && p[at] == TR__PROTO_KEY(LINE_EVENT, TR__WIRE_BYTES)) {
        size_t len = p[at + 1], used = 2;
        if (len > 127 && p[at + 2] < 128) {
            len = (len & 127) | (size_t)p[at + 2] << 7;
            used = 3;
        } else if (len > 127) {
            break;
        }
        if (len > n - at - used)
            break;
        at += used + len;
        k++;
    }
    *n_events = k;
    return at;
}

/* At a line: take or skip all short events from here on.  False: there is none, or each is to be looked at. */
static bool take_events(struct tr__xplane_reader *r, size_t n, enum took *took)
{
    size_t n_events, bytes, until = SIZE_MAX, max = SIZE_MAX;
    const unsigned char *p = (const unsigned char *)r->w.p + r->w.at;
    if (r->depth != 2 || *p != TR__PROTO_KEY(LINE_EVENT, TR__WIRE_BYTES) ||
        (r->second ? !r->block || tr__xplane_seeks_steps(r, &r->planes[r->plane - 1], &r->lines[r->line - 1])
                   : needed(r, LINE_EVENT)))
        return false;
    uint64_t left = r->end[2] - tr__window_offset(&r->w);
    if (n > left)
        n = (size_t)left;
    if (r->block) {
        until = r->piece_bytes - r->block->bytes.len;
        max = TR__MAX_FOUND - r->block->n - r->block->n_events;
    }
    bytes = whole_events(p, n, until, max, &n_events);
    if (!n_events)
        return false;
    *took = !r->block || tr__xplane_find_events(r, n_events, bytes) ? TOOK : FAILED;
    r->w.at += bytes;
    return true;
}

static enum took pass_over(struct tr__xplane_reader *r)
{
    size_t n = r->w.n - r->w.at;
    size_t k = r->skip < n ? (size_t)r->skip : n;
    r->w.at += k;
    r->skip -= k;
    return k ? TOOK : MORE;
}

static enum took next_field(struct tr__xplane_reader *r)
{
    if (r->skip)
        return pass_over(r);
    while (r->depth && tr__window_offset(&r->w) >= r->end[r->depth])
        r->depth--;
    size_t n = r->w.n - r->w.at;
    if (n == 0)
        return MORE;
    if (r->lost)
        return find_plane(r);
    enum took took;
    if (take_events(r, n, &took))
        return took;
    if (n < LONGEST_KEY && !r->w.last) {
        r->want = WINDOW;
        return MORE;
    }
    const unsigned char *p = (const unsigned char *)r->w.p + r->w.at;
    uint64_t left = r->depth ? r->end[r->depth] - tr__window_offset(&r->w) : UINT64_MAX, key = 0, v = 0;
    const unsigned char *at = tr__proto_varint(p, p + n, &key);
    unsigned wire = key & 7;
    if (!at || key >> 3 == 0 || key >> 3 > TR__PROTO_MAX_FIELD)
        return lose(r, !at && r->w.last ? TR_DAMAGE_TRUNCATED : TR_DAMAGE_BAD_EVENT);
    if (wire == TR__WIRE_VARINT || wire == TR__WIRE_BYTES)
        at = tr__proto_varint(at, p + n, &v);
    else if (wire == TR__WIRE_64 || wire == TR__WIRE_32)
        at = (size_t)(p + n - at) >= (wire == TR__WIRE_64 ? 8u : 4u) ? at + (wire == TR__WIRE_64 ? 8 : 4) : NULL;
    else
        return lose(r, TR_DAMAGE_BAD_EVENT);
    if (!at)
        return lose(r, r->w.last ? TR_DAMAGE_TRUNCATED : TR_DAMAGE_BAD_EVENT);
    size_t used = (size_t)(at - p);
    bool bytes = wire == TR__WIRE_BYTES;
    if (used > left || (bytes && (v > left - used || v > INT64_MAX - used - tr__window_offset(&r->w))))
        return lose(r, TR_DAMAGE_BAD_EVENT);
    const struct tr__proto field = { .field = (uint32_t)(key >> 3), .wire = (uint8_t)wire };
    if (!r->second) /* both walks meet it */
        tr__xplane_doubted(r, tr__xplane_doubt_field(r->depth, &field));
    if (bytes)
        return take_bytes(r, (uint32_t)(key >> 3), v, used);
    if (wire == TR__WIRE_VARINT)
        take_number(r, (uint32_t)(key >> 3), v);
    r->w.at += used;
    return TOOK;
}

enum tr_status tr__xplane_walk(struct tr__xplane_reader *r)
{
    enum tr_status st = TR_OK;
    enum took took = TOOK;
    if (r->more) {
        st = tr__window_fill(&r->w, r->g, r->want > WINDOW ? r->want : WINDOW, r->err);
        r->want = 0;
    }
    while (st == TR_OK && took == TOOK && !(r->block && tr__xplane_block_full(r)))
        took = next_field(r);
    r->more = took == MORE;
    if (st != TR_OK || took == FAILED)
        return st != TR_OK ? st : r->err->status;
    return r->more && r->w.last && r->w.at >= r->w.n ? TR_END : TR_OK;
}
