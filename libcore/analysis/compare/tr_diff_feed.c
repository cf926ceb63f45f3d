/* SPDX-License-Identifier: MIT */
/* From events of one run to entries of a difference. */
#include "analysis/compare/tr_diff.h"

#include "analysis/compare/tr_diff_int.h"
#include "base/tr_mem.h"
#include "engine/tr_group_by.h"
#include "model/calls/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "model/tr_steps.h"
#include "service/tr_pending.h"
#include "stream/tr_args.h"
#include "vendor/tr_roles.h"
#include "vendor/tr_short_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY        UINT32_MAX
#define ROLES_KNOWN 0x8000u

/* Notes of an open span: its entry, if it takes part; the place of the innermost span that does, + 1, or 0 for none. */
enum { NOTE_ENTRY, NOTE_OWNER };

/* A launch whose work has not all come, or that has not come itself. */
struct launch {
    uint32_t entry; /* of the work */
    struct tr_diff_sums early; /* work that came before it */
};
static const struct launch no_launch = { .early = { .dur = TR_STATS_INIT } };

struct tr_diff_feed {
    struct tr_diff *d;
    enum tr_diff_run run;
    struct tr_diff_opts opts;
    const struct tr_dict *dict;
    struct tr_select *select;
    uint32_t calls; /* activities of host spans that take part, by TR_ACTIVITY_BIT */
    bool owned;     /* device work counts with the span around its launch */
    struct tr_steps *steps;
    struct tr_call_path *tree;
    uint32_t *of_string[2]; /* host, device: entry + 1 by string number, 0: not known */
    size_t n_strings[2], cap_strings[2];
    uint16_t *roles; /* by string number, with ROLES_KNOWN if they are known */
    size_t n_roles, cap_roles;
    uint32_t of_none[2];         /* entry + 1 of the empty text */
    struct tr_eventmap children; /* path: (entry of the parent + 1, name) to entry */
    int64_t step[2];             /* the last one looked up, and its entry + 1 */
    uint32_t capture[2], of_step[2];
    struct tr_pending launches;
    uint32_t *classes;
    size_t cap_classes;
    struct tr_arg args[TR_DIFF_MORE];
    uint32_t *key_of; /* by string number: number of the text in the keys of rows + 1; 0: not known */
    size_t n_key_of, cap_key_of;
};

static uint32_t calls_of(enum tr_diff_by by)
{
    uint32_t operators = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD);
    switch (by) {
    case TR_DIFF_BY_KERNEL:
        return 0;
    case TR_DIFF_BY_OPERATOR:
        return operators;
    case TR_DIFF_BY_PATH:
        return operators | TR_ACTIVITY_BIT(TR_ACT_ANNOTATION);
    default:
        return UINT32_MAX;
    }
}

enum tr_status tr_diff_feed_new(struct tr_diff *d, enum tr_diff_run run,
                                const struct tr_diff_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary, struct tr_select *select,
                                struct tr_diff_feed **feed, struct tr_error *err)
{
    struct tr_diff_feed *f = calloc(1, sizeof *f);
    if (!f)
        return tr_fail_memory(err);
    f->d = d;
    f->run = run;
    f->opts = *opts;
    f->dict = dict;
    f->select = select;
    tr_pending_init(&f->launches, dict, &no_launch, sizeof no_launch);
    f->calls = calls_of(d->by);
    f->owned = d->by == TR_DIFF_BY_OPERATOR || d->by == TR_DIFF_BY_PATH;
    f->tree = tr_call_path_new();
    if (d->by == TR_DIFF_BY_STEP)
        f->steps = tr_steps_new(summary);
    if (!f->tree || (d->by == TR_DIFF_BY_STEP && !f->steps)) {
        tr_diff_feed_free(f);
        return tr_fail_memory(err);
    }
    *feed = f;
    return TR_OK;
}

void tr_diff_feed_free(struct tr_diff_feed *f)
{
    if (!f)
        return;
    free(f->of_string[0]);
    free(f->of_string[1]);
    free(f->roles);
    tr_call_path_free(f->tree);
    tr_steps_free(f->steps);
    tr_eventmap_free(&f->children);
    tr_pending_free(&f->launches);
    free(f->classes);
    for (size_t k = 0; k < TR_DIFF_MORE; k++)
        tr_arg_free(&f->args[k]);
    free(f->key_of);
    free(f);
}

static struct tr_diff_sums *sums_of(struct tr_diff_feed *f, uint32_t entry)
{
    return &f->d->entries[entry].sums[f->run];
}

/* ---- which entry; NO_ENTRY: out of memory ---- */

/* The entry of a string of the stream, remembered by its number. */
static uint32_t entry_of_string(struct tr_diff_feed *f, bool device, uint32_t string)
{
    uint32_t *known = string == TR_NO_STR ? &f->of_none[device] : &f->of_string[device][string];
    if (*known)
        return *known - 1;
    const char *text = tr_dict_str(f->dict, string);
    size_t len = string == TR_NO_STR ? 0 : tr_strtab_len(f->dict->strings, string);
    struct tr_buf brief = { 0 };
    uint32_t entry = TR__NO_ENTRY;
    if (f->d->by != TR_DIFF_BY_SHORT_NAME)
        entry = tr__diff_entry(f->d, device, text, len);
    else if (tr_short_name(text, len, &brief))
        entry = tr__diff_entry(f->d, device, (const char *)brief.data, brief.len);
    tr_buf_free(&brief);
    if (entry == TR__NO_ENTRY)
        return NO_ENTRY;
    *known = entry + 1;
    return entry;
}

static uint32_t entry_of_step(struct tr_diff_feed *f, const struct tr_batch *b, size_t i,
                              bool device)
{
    int64_t number;
    char text[64];
    uint32_t source = f->dict->tracks[b->track[i]].source;
    struct tr_step_moment at = tr_steps_moment(f->steps, b, i, f->launches.launch_ts[i], f->launches.launch_track[i]);
    if (!tr_steps_find(f->steps, f->dict, at, &number))
        return entry_of_string(f, device, TR_NO_STR);
    uint32_t capture = f->dict->sources[source].capture;
    if (!f->of_step[device] || f->step[device] != number || f->capture[device] != capture) {
        int len = capture ? snprintf(text, sizeof text, "%" PRId64 " (capture %" PRIu32 ")", number, capture)
                          : snprintf(text, sizeof text, "%" PRId64, number);
        uint32_t entry = tr__diff_entry(f->d, device, text, (size_t)len);
        if (entry == TR__NO_ENTRY)
            return NO_ENTRY;
        f->step[device] = number;
        f->capture[device] = capture;
        f->of_step[device] = entry + 1;
    }
    return f->of_step[device] - 1;
}

/* The entry of a name below another entry of the tree. */
static uint32_t entry_below(struct tr_diff_feed *f, uint32_t parent, uint32_t name)
{
    static const char step[] = "ProfilerStep#";
    uint32_t above = parent == NO_ENTRY ? 0 : parent + 1;
    uint32_t entry = tr_eventmap_get(&f->children, above, name);
    if (entry != TR_EVENTMAP_NONE)
        return entry;
    if (parent != NO_ENTRY && f->d->entries[parent].level >= TR_DIFF_LEVELS)
        return parent;
    struct tr_buf text = { 0 };
    size_t len = name == TR_NO_STR ? 0 : tr_strtab_len(f->dict->strings, name);
    const char *last = tr_dict_str(f->dict, name);
    if (strncmp(last, step, sizeof step - 1) == 0)
        len = sizeof step - 2;
    uint32_t key = parent == NO_ENTRY ? 0 : f->d->entries[parent].key.name;
    bool ok = parent == NO_ENTRY ||
              (tr_buf_add(&text, tr_strtab_get(f->d->keys, key), tr_strtab_len(f->d->keys, key)) &&
               tr_buf_add_str(&text, " > "));
    ok = ok && tr_buf_add(&text, last, len);
    entry = ok ? tr__diff_entry(f->d, false, (const char *)text.data, text.len) : TR__NO_ENTRY;
    tr_buf_free(&text);
    if (entry == TR__NO_ENTRY || !tr_eventmap_put(&f->children, above, name, entry))
        return NO_ENTRY;
    f->d->entries[entry].level = parent == NO_ENTRY ? 1 : (uint8_t)(f->d->entries[parent].level + 1);
    return entry;
}

/* A text of the stream as one of the keys of rows.  False: out of memory. */
static bool key_of_string(struct tr_diff_feed *f, uint32_t string, uint32_t *key)
{
    *key = TR_NO_STR;
    if (string == TR_NO_STR)
        return true;
    uint32_t *known = &f->key_of[string];
    if (!*known) {
        uint32_t added = tr_strtab_add(f->d->keys, tr_dict_str(f->dict, string),
                                       tr_strtab_len(f->dict->strings, string));
        if (added == TR_NO_STR)
            return false;
        *known = added + 1;
    }
    *key = *known - 1;
    return true;
}

/* The entry of the call of an operator with its arguments. */
static uint32_t entry_of_call(struct tr_diff_feed *f, const struct tr_batch *b, size_t i)
{
    struct tr__diff_key key;
    bool ok = key_of_string(f, b->name[i], &key.name);
    if (ok && key.name == TR_NO_STR)
        ok = (key.name = tr_strtab_add(f->d->keys, "", 0)) != TR_NO_STR;
    for (size_t k = 0; k < TR_DIFF_MORE; k++) {
        bool wanted = k + 1 < TR_DIFF_MORE || f->d->refined & TR_DIFF_ARGS;
        ok = ok && key_of_string(f, wanted ? tr_arg_text(&f->args[k], i) : TR_NO_STR, &key.more[k]);
    }
    return ok ? tr__diff_entry_of_key(f->d, false, &key) : NO_ENTRY;
}

/* parent: entry of the innermost span that takes part around a host span, or NO_ENTRY. */
static uint32_t entry_of(struct tr_diff_feed *f, const struct tr_batch *b, size_t i, bool device,
                         uint32_t parent)
{
    switch (f->d->by) {
    case TR_DIFF_BY_CLASS:
        return entry_of_string(f, device, f->classes[i]);
    case TR_DIFF_BY_STEP:
        return entry_of_step(f, b, i, device);
    case TR_DIFF_BY_PATH:
        return entry_below(f, parent, b->name[i]);
    default:
        return f->d->refined ? entry_of_call(f, b, i) : entry_of_string(f, device, b->name[i]);
    }
}

/* ---- launches: device work counts with the span that launched it ---- */

static void settle(struct tr_diff_feed *f, const struct launch *l, uint32_t entry)
{
    struct tr_diff_sums *s = sums_of(f, entry);
    tr_stats_merge(&s->dur, &l->early.dur);
    s->self = tr_u128_add(s->self, l->early.self);
}

/* Add a launch. owner: entry of the span that gets its work, NO_ENTRY: no span. */
static bool add_launch(struct tr_diff_feed *f, const struct tr_batch *b, size_t i, uint32_t owner)
{
    uint32_t number;
    struct tr__diff_key key = owner == NO_ENTRY ? (struct tr__diff_key){ 0 } : f->d->entries[owner].key;
    uint32_t entry = owner == NO_ENTRY ? entry_of_string(f, true, TR_NO_STR) : tr__diff_entry_of_key(f->d, true, &key);
    if (entry == TR__NO_ENTRY || !tr_pending_call(&f->launches, b, i, true, &number))
        return false;
    if (number == TR_PENDING_NONE)
        return true;
    struct launch *l = tr_pending_at(&f->launches, number);
    settle(f, l, entry);
    *l = no_launch;
    l->entry = entry;
    tr_pending_settle(&f->launches, number);
    return true;
}

/*
 * Device work i comes.  *early: the sums in which it waits for its launch; if NULL, it counts with *entry.  False: out
 * of memory.
 */
static bool find_owner(struct tr_diff_feed *f, const struct tr_batch *b, size_t i, uint32_t *entry,
                       struct tr_diff_sums **early)
{
    uint32_t number;
    *early = NULL;
    *entry = entry_of_string(f, true, TR_NO_STR);
    if (*entry == NO_ENTRY)
        return false;
    if (!tr_pending_work(&f->launches, b, i, &number))
        return false;
    if (number == TR_PENDING_NONE) /* not known, or not selected */
        return true;
    struct launch *l = tr_pending_at(&f->launches, number);
    if (!tr_pending_has_come(&f->launches, number)) {
        *early = &l->early;
        return true;
    }
    *entry = l->entry;
    tr_pending_settle(&f->launches, number);
    return true;
}

/* ---- events ---- */

static int64_t clip(const struct tr_diff_feed *f, uint32_t track, int64_t ts)
{
    return tr_select_clip(f->select, f->dict->tracks[track].source, ts);
}

/* The part of a duration that is in the window. */
static int64_t part_of(const struct tr_diff_feed *f, uint32_t track, int64_t ts, int64_t dur)
{
    return clip(f, track, ts + dur) - clip(f, track, ts);
}

static bool counts(const struct tr_diff_feed *f, const struct tr_batch *b, size_t i)
{
    return b->suspect[i] == TR_SUSPECT_NO || f->opts.suspect;
}

/* Is a host span one of the profiler's own? */
static bool of_profiler(struct tr_diff_feed *f, const struct tr_batch *b, size_t i)
{
    uint32_t name = b->name[i];
    if (f->opts.profiler || name == TR_NO_STR)
        return false;
    if (!f->roles[name])
        f->roles[name] = (uint16_t)(ROLES_KNOWN | (tr_roles_of(f->dict->names, tr_dict_str(f->dict, name),
                                                               tr_strtab_len(f->dict->strings, name)) & ~ROLES_KNOWN));
    return (f->roles[name] & TR_NAMED_PROFILER) ||
           (b->activity[i] == TR_ACT_OVERHEAD && (f->roles[name] & TR_NAMED_PROFILER_OVERHEAD));
}

/* The time of spans inside a span is not its own time; one without an end has none.  Its tag: how far they cover it. */
static void take_from(struct tr_diff_feed *f, uint32_t track, struct tr_call *outer, const struct tr_call *call)
{
    int64_t covered = (int64_t)outer->tag;
    int64_t ns = tr_call_cover(&covered, INT64_MAX, clip(f, track, call->start), clip(f, track, call->end));
    outer->tag = (uint64_t)covered;
    if (outer->dur != INT64_MAX)
        tr__diff_add_self(sums_of(f, outer->notes[NOTE_ENTRY]), -ns);
}

static bool add_host(struct tr_diff_feed *f, const struct tr_batch *b, size_t i,
                     struct tr_error *err)
{
    struct tr_callpath path;
    if (tr_call_path_enter(f->tree, b, i, &path, err) != TR_OK)
        return false;
    struct tr_call *call = &path.open[path.depth];
    uint32_t owner = path.depth ? path.open[path.depth - 1].notes[NOTE_OWNER] : 0;
    struct tr_call *outer = owner ? &path.open[owner - 1] : NULL;
    call->tag = (uint64_t)clip(f, b->track[i], call->start);
    if ((f->calls >> b->activity[i] & 1) && counts(f, b, i) && !of_profiler(f, b, i)) {
        bool ends = call->dur != INT64_MAX;
        uint32_t entry = entry_of(f, b, i, false, outer ? outer->notes[NOTE_ENTRY] : NO_ENTRY);
        if (entry == NO_ENTRY)
            return false;
        int64_t dur = b->suspect[i] ? tr_group_by_suspect_dur(b, i) : ends ? call->dur : 0;
        dur = part_of(f, b->track[i], call->start, dur);
        tr_stats_add(&sums_of(f, entry)->dur, dur);
        tr__diff_add_self(sums_of(f, entry), dur);
        if (outer && ends)
            take_from(f, b->track[i], outer, call);
        call->notes[NOTE_ENTRY] = entry;
        owner = (uint32_t)path.depth + 1;
    }
    call->notes[NOTE_OWNER] = owner;
    if (!f->owned || !(b->flags[i] & TR_HAS_DEVICE))
        return true;
    return add_launch(f, b, i, owner ? path.open[owner - 1].notes[NOTE_ENTRY] : NO_ENTRY);
}

static bool add_device(struct tr_diff_feed *f, const struct tr_batch *b, size_t i, bool selected)
{
    struct tr_diff_sums *s = NULL;
    uint32_t entry = NO_ENTRY;
    bool takes_part = selected && counts(f, b, i);
    if (f->owned && !find_owner(f, b, i, &entry, &s))
        return false;
    if (!takes_part)
        return true;
    if (!f->owned && (entry = entry_of(f, b, i, true, NO_ENTRY)) == NO_ENTRY)
        return false;
    int64_t dur = b->suspect[i] ? tr_group_by_suspect_dur(b, i) : tr_dur_used(b->dur[i], TR_SUSPECT_NO);
    dur = part_of(f, b->track[i], b->ts[i], dur);
    s = s ? s : sums_of(f, entry);
    tr_stats_add(&s->dur, dur);
    tr__diff_add_self(s, dur);
    return true;
}

/* n: strings of the stream. */
static bool start_arguments(struct tr_diff_feed *f, const struct tr_batch *b, size_t n)
{
    static const char *const names[TR_DIFF_MORE] = { "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
    bool ok = tr_grow(&f->key_of, &f->cap_key_of, n + 1, sizeof *f->key_of);
    if (ok)
        memset(f->key_of + f->n_key_of, 0, (n - f->n_key_of) * sizeof *f->key_of);
    f->n_key_of = n;
    for (size_t k = 0; ok && k < TR_DIFF_MORE; k++)
        ok = tr_arg_read(&f->args[k], b, TR_PLACE_ARGS, names[k]);
    return ok;
}

static bool start_batch(struct tr_diff_feed *f, const struct tr_batch *b)
{
    size_t n = tr_strtab_count(f->dict->strings);
    for (int side = 0; side < 2; side++) {
        if (!tr_grow(&f->of_string[side], &f->cap_strings[side], n + 1, sizeof(uint32_t)))
            return false;
        memset(f->of_string[side] + f->n_strings[side], 0,
               (n - f->n_strings[side]) * sizeof(uint32_t));
        f->n_strings[side] = n;
    }
    if (!tr_grow(&f->roles, &f->cap_roles, n + 1, sizeof *f->roles))
        return false;
    memset(f->roles + f->n_roles, 0, (n - f->n_roles) * sizeof *f->roles);
    f->n_roles = n;
    if (((f->owned || f->steps) && !tr_pending_batch(&f->launches, b)) ||
        (f->steps && !tr_pending_times(&f->launches, b)) ||
        !tr_grow(&f->classes, &f->cap_classes, b->n, sizeof *f->classes))
        return false;
    if (f->d->refined && !start_arguments(f, b, n))
        return false;
    if (f->d->by == TR_DIFF_BY_CLASS)
        tr_batch_expand_str(b, TR_COL_CLASS, f->classes);
    return true;
}

enum tr_status tr_diff_feed(struct tr_diff_feed *f, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err)
{
    bool ok = start_batch(f, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue;
        bool selected = !keep || keep[i];
        if (tr_is_device_work(b->activity[i]))
            ok = add_device(f, b, i, selected);
        else if (selected && f->calls && tr_is_call(b, i))
            ok = add_host(f, b, i, err);
    }
    return ok ? TR_OK : tr__diff_fail(f->d, err);
}

enum tr_status tr_diff_feed_end(struct tr_diff_feed *f, struct tr_error *err)
{
    for (uint32_t n = 0; n < f->launches.places.n; n++) {
        const struct launch *l = tr_pending_at(&f->launches, n);
        if (!tr_pending_is_used(&f->launches, n) || !l->early.dur.n)
            continue;
        uint32_t entry = entry_of_string(f, true, TR_NO_STR);
        if (entry == NO_ENTRY)
            return tr__diff_fail(f->d, err);
        settle(f, l, entry);
    }
    return TR_OK;
}
