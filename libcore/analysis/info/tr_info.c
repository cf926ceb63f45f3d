/* SPDX-License-Identifier: MIT */
/* Counts per source, device and track of a stream. */
#include "analysis/info/tr_info.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/tr_kinds.h"
#include "vendor/tr_vocab.h"

#include <stdlib.h>
#include <string.h>

struct tr_info *tr_info_new(void)
{
    struct tr_info *info = calloc(1, sizeof *info);
    if (info) {
        info->coverage = tr_coverage_new(true);
        info->trust = tr_trust_new();
    }
    if (info && info->coverage && info->trust)
        return info;
    tr_info_free(info);
    return NULL;
}

void tr_info_free(struct tr_info *info)
{
    if (!info)
        return;
    free(info->sources);
    free(info->tracks);
    free(info->devices);
    free(info->comm);
    free(info->comm_names);
    tr_rules_free(info->comm_rules);
    free(info->described);
    tr_coverage_free(info->coverage);
    tr_trust_free(info->trust);
    free(info);
}

/*
 * Args on the device work itself that name a collective.  PyTorch writes the first on kernels of its process groups; a
 * kernel without it can only be matched to other ranks by its order.
 */
static bool describes_collective(const struct tr_dict *d, const struct tr_shape *s)
{
    for (uint32_t i = 0; i < s->n_slots; i++)
        if (s->slots[i].place == TR_PLACE_ARGS &&
            tr_str_is(tr_dict_text(d, s->slots[i].key), "Collective name"))
            return true;
    return false;
}

/* Make room for every source, track and shape of the dictionary. */
static bool follow(struct tr_info *info, const struct tr_dict *d)
{
    if (!tr_grow(&info->sources, &info->cap_sources, d->n_sources, sizeof *info->sources) ||
        !tr_grow(&info->tracks, &info->cap_tracks, d->n_tracks, sizeof *info->tracks) ||
        !tr_grow(&info->described, &info->cap_shapes, d->n_shapes, 1))
        return false;
    for (; info->n_sources < d->n_sources; info->n_sources++)
        info->sources[info->n_sources] =
            (struct tr_info_source){ .first_ts = TR_TIME_NONE, .last_end = TR_TIME_NONE };
    for (; info->n_tracks < d->n_tracks; info->n_tracks++)
        info->tracks[info->n_tracks] =
            (struct tr_info_track){ .first_ts = TR_TIME_NONE, .last_end = TR_TIME_NONE };
    for (; info->n_shapes < d->n_shapes; info->n_shapes++)
        info->described[info->n_shapes] = describes_collective(d, &d->shapes[info->n_shapes]);
    return true;
}

static void widen(int64_t *first, int64_t *last, int64_t from, int64_t to)
{
    if (*first == TR_TIME_NONE || from < *first)
        *first = from;
    if (*last == TR_TIME_NONE || to > *last)
        *last = to;
}

/* An event that starts later than the one before it is in order, whatever the rest of its key. */
static void check_order(struct tr_info *info, const struct tr_batch *b)
{
    for (size_t i = info->n_events ? 0 : 1; i < b->n; i++) {
        if (i && b->ts[i] > b->ts[i - 1])
            continue;
        const struct tr_order_key before = i ? tr_order_key(b, i - 1) : info->last, key = tr_order_key(b, i);
        if (tr_order_key_cmp(b->dict, &before, &key) > 0 && !info->n_disordered++) {
            info->disordered_source = key.source;
            info->disordered_record = key.record;
        }
    }
    if (b->n)
        info->last = tr_order_key(b, b->n - 1);
}

static bool count_comm(struct tr_info *info, const struct tr_batch *b, size_t i)
{
    uint32_t name = b->name[i];
    if (b->kind[i] != TR_KIND_COMM || b->activity[i] != TR_ACT_KERNEL || name == TR_NO_STR)
        return true;
    if (!tr_grow(&info->comm_names, &info->cap_comm_names, name + (size_t)1, sizeof *info->comm_names))
        return false;
    while (info->n_comm_names <= name)
        info->comm_names[info->n_comm_names++] = 0;
    info->comm_names[name]++;
    return true;
}

static void count_device_work(struct tr_info *info, struct tr_info_source *s,
                              struct tr_info_track *t, const struct tr_batch *b, size_t i)
{
    bool comm = b->kind[i] == TR_KIND_COMM;
    t->n_kernels += b->activity[i] == TR_ACT_KERNEL;
    t->n_copies += b->activity[i] != TR_ACT_KERNEL;
    s->n_comm += comm;
    s->n_comm_described += comm && info->described[b->shape[i]];
}

static void count(struct tr_info *info, const struct tr_batch *b, size_t i)
{
    struct tr_info_track *t = &info->tracks[b->track[i]];
    uint32_t source = b->dict->tracks[b->track[i]].source;
    struct tr_info_source *s = &info->sources[source];
    info->n_events++;
    s->n_events++;
    t->n_events++;
    t->n_spans += b->phase[i] == TR_SPAN;
    s->n_phase[b->phase[i] < TR_N_PHASES ? b->phase[i] : TR_PHASE_UNKNOWN]++;
    s->n_activity[b->activity[i] < TR_N_ACTIVITIES ? b->activity[i] : TR_ACT_OTHER]++;
    if (b->suspect[i] < TR_N_SUSPECTS)
        s->n_suspect[b->suspect[i]]++;
    s->n_open += (b->flags[i] & TR_OPEN) != 0;
    if (tr_is_device_work(b->activity[i]))
        count_device_work(info, s, t, b, i);
    if (b->ts[i] == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO || b->phase[i] == TR_META)
        return;
    int64_t dur = tr_dur_used(b->dur[i], b->suspect[i]);
    int64_t end = tr_time_sum(b->ts[i], dur);
    widen(&s->first_ts, &s->last_end, b->ts[i], end);
    widen(&t->first_ts, &t->last_end, b->ts[i], end);
}

enum tr_status tr_info_add(struct tr_info *info, const struct tr_batch *b, struct tr_error *err)
{
    if (!follow(info, b->dict))
        return tr_fail_memory(err);
    check_order(info, b);
    for (size_t i = 0; i < b->n; i++) {
        count(info, b, i);
        if (!count_comm(info, b, i))
            return tr_fail_memory(err);
    }
    enum tr_status st = tr_coverage_add(info->coverage, b, NULL, err);
    return st == TR_OK ? tr_trust_add(info->trust, b, err) : st;
}

TR_ORDER(by_device, struct tr_info_device, TR_UP(source), TR_UP(device))

struct named {
    struct tr_info_comm comm;
    struct tr_str text;
};

TR_ORDER(by_count, struct named, TR_DOWN(comm.n), tr_str_cmp(a->text, b->text))

/* The rule that classifies a kernel of this name as comm. */
static enum tr_status comm_rule(struct tr_rules *rules, struct tr_str name, uint32_t *rule, struct tr_error *err)
{
    enum tr_status st = tr_rules_match(rules, TR_RULE_DEVICE, name.s, name.len, rule, err);
    if (st == TR_OK && tr_rules_get(rules, *rule)->kind != TR_KIND_COMM)
        *rule = TR_RULE_NONE;
    return st == TR_NO ? TR_OK : st;
}

static enum tr_status finish_comm(struct tr_info *info, const struct tr_dict *d, struct tr_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < info->n_comm_names; i++)
        n += info->comm_names[i] > 0;
    if (!n)
        return TR_OK;
    enum tr_status st = tr_kind_rules(&info->comm_rules, err);
    struct named *named = malloc(n * sizeof *named);
    info->comm = malloc(n * sizeof *info->comm);
    if (st == TR_OK && (!named || !info->comm))
        st = tr_fail_memory(err);
    for (size_t i = 0, k = 0; i < info->n_comm_names && st == TR_OK; i++) {
        if (!info->comm_names[i])
            continue;
        struct named *to = &named[k++];
        *to = (struct named){ { (uint32_t)i, info->comm_names[i], TR_RULE_NONE }, tr_dict_text(d, (uint32_t)i) };
        st = comm_rule(info->comm_rules, to->text, &to->comm.rule, err);
    }
    if (st == TR_OK) {
        qsort(named, n, sizeof *named, by_count);
        for (size_t k = 0; k < n; k++)
            info->comm[info->n_comm++] = named[k].comm;
    }
    free(named);
    return st;
}

/* Has another file of the same folder of results the device work that this source lacks? */
static bool beside_work(const struct tr_info *info, const struct tr_dict *d, size_t i)
{
    const struct tr_source *s = &d->sources[i];
    for (size_t k = 0; s->job != TR_NO_STR && k < info->n_sources && k < d->n_sources; k++)
        if (d->sources[k].job == s->job && d->sources[k].rank == s->rank && info->sources[k].coverage.work)
            return true;
    return false;
}

/* What a source has in place of device work. */
static enum tr_no_work no_work(const struct tr_info *info, const struct tr_dict *d, size_t i)
{
    static const struct {
        const char *format;
        enum tr_no_work is;
    } others[] = {
        { "flight-rec", TR_NO_WORK_CALLS },      { "nccl-inspector", TR_NO_WORK_LOG },
        { "nccl-profiler", TR_NO_WORK_LOG },     { "pytorch-et", TR_NO_WORK_GRAPH },
        { "chakra-json", TR_NO_WORK_GRAPH },     { "chakra", TR_NO_WORK_GRAPH },
        { "memory-snap", TR_NO_WORK_MEMORY },    { "memory-timeline", TR_NO_WORK_MEMORY },
        { "perf-script", TR_NO_WORK_HOST },
    };
    struct tr_str format = tr_dict_text_if(d, d->sources[i].format);
    if (beside_work(info, d, i))
        return TR_NO_WORK_BESIDE;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (tr_str_is(format, others[k].format))
            return others[k].is;
    return TR_NO_WORK_UNKNOWN;
}

static bool like_device(const struct tr_dict *d, uint32_t name)
{
    struct tr_str text = name == TR_NO_STR ? (struct tr_str){ NULL, 0 } : tr_dict_text(d, name);
    return text.s && tr_vocab_like_device(text.s, text.len);
}

/* Spans that are perhaps work of a device whose form is not known. */
static void count_like_device(struct tr_info *info, const struct tr_dict *d)
{
    for (size_t i = 0; i < info->n_tracks && i < d->n_tracks; i++) {
        struct tr_info_source *s = &info->sources[d->tracks[i].source];
        if (!s->coverage.work && info->tracks[i].n_spans &&
            (like_device(d, d->tracks[i].process_name) || like_device(d, d->tracks[i].thread_name)))
            s->n_like_device += info->tracks[i].n_spans;
    }
}

enum tr_status tr_info_finish(struct tr_info *info, const struct tr_dict *d, struct tr_error *err)
{
    if (!follow(info, d))
        return tr_fail_memory(err);
    tr_trust_finish(info->trust);
    for (uint32_t i = 0; i < info->n_sources; i++) {
        info->sources[i].coverage = tr_coverage_of(info->coverage, i);
        info->sources[i].trust = tr_trust_of(info->trust, i);
    }
    for (size_t i = 0; i < info->n_sources && i < d->n_sources; i++)
        info->sources[i].no_work = no_work(info, d, i);
    count_like_device(info, d);
    info->devices = calloc(info->n_tracks + 1, sizeof *info->devices);
    if (!info->devices)
        return tr_fail_memory(err);
    for (size_t i = 0; i < info->n_tracks; i++) {
        const struct tr_info_track *t = &info->tracks[i];
        if (t->n_kernels + t->n_copies == 0)
            continue;
        info->devices[info->n_devices++] = (struct tr_info_device){
            .source = d->tracks[i].source,
            .device = d->tracks[i].device,
            .n_streams = 1,
            .n_kernels = t->n_kernels,
            .n_copies = t->n_copies,
            .first_ts = t->first_ts,
            .last_end = t->last_end,
        };
    }
    qsort(info->devices, info->n_devices, sizeof *info->devices, by_device);
    size_t n = 0;
    for (size_t i = 0; i < info->n_devices; i++) {
        const struct tr_info_device *from = &info->devices[i];
        struct tr_info_device *to = n ? &info->devices[n - 1] : NULL;
        if (!to || by_device(to, from) != 0) {
            info->devices[n++] = *from;
            continue;
        }
        to->n_streams++;
        to->n_kernels += from->n_kernels;
        to->n_copies += from->n_copies;
        if (from->first_ts != TR_TIME_NONE)
            widen(&to->first_ts, &to->last_end, from->first_ts, from->last_end);
    }
    info->n_devices = n;
    return finish_comm(info, d, err);
}
