/* SPDX-License-Identifier: MIT */
/* The true answers: collected while printing, written beside the trace. */
#include "gen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_COMPUTE, KIND_COMM, KIND_MEMORY };

struct interval {
    int64_t start, end;
    int kind;
};
struct end_of_link {
    uint64_t link, element;
    bool device;
};
struct step {
    int64_t number, start, end;
};
struct coll {
    int64_t step, seq, nelems, true_start, true_end, start, end;
    uint64_t element;
};
struct planted {
    int plant, cls;
    uint64_t element, offset;
    bool delivered;
    int64_t ts, dur;
    size_t name, name_n;
};

struct gen_truth {
    uint64_t elements, delivered, intact, lost, skipped, phases[256];
    const char *cats[64];
    uint64_t n_cat[64];
    int n_cats;
    struct interval *iv;
    struct end_of_link *links;
    struct step *steps;
    struct coll *colls;
    struct planted *planted;
    char *names; /* of planted events, one after the other */
    size_t n_iv, n_links, n_steps, n_colls, n_planted, n_names;
    size_t c_iv, c_links, c_steps, c_colls, c_planted, c_names;
};

struct gen_truth *gen_truth_new(void)
{
    return gen_alloc(1, sizeof(struct gen_truth));
}

void gen_truth_free(struct gen_truth *t)
{
    if (!t)
        return;
    free(t->iv);
    free(t->links);
    free(t->steps);
    free(t->colls);
    free(t->planted);
    free(t->names);
    free(t);
}

#define ADD(t, what)                                                                               \
    ((t)->what = gen_more((t)->what, &(t)->c_##what, (t)->n_##what + 1, sizeof *(t)->what),        \
     &(t)->what[(t)->n_##what++])

static void count_cat(struct gen_truth *t, const char *cat)
{
    int i = 0;
    if (!*cat)
        return;
    while (i < t->n_cats && strcmp(t->cats[i], cat))
        i++;
    if (i == t->n_cats) {
        if (i == 64)
            gen_die(4, "too many categories");
        t->cats[t->n_cats++] = cat;
    }
    t->n_cat[i]++;
}

static void scheduled(struct gen_truth *t, const struct gen_file *f, const struct gen_seen *s)
{
    const struct gen_ev *e = s->ev;
    bool device = e->type >= GEN_T_KERNEL && e->type <= GEN_T_SET;

    if (e->link && (device || (e->flags & GEN_F_LAUNCH && e->type != GEN_T_FLOW)))
        *ADD(t, links) = (struct end_of_link){ e->link, f->n_elements, device };
    if (device && s->cls != GEN_C_SUSPECT) {
        int kind = e->type == GEN_T_KERNEL ? KIND_COMPUTE
                   : e->type == GEN_T_COMM ? KIND_COMM
                                           : KIND_MEMORY;
        *ADD(t, iv) = (struct interval){ s->ts, s->ts + s->dur, kind };
    }
    if (e->flags & GEN_F_STEP)
        *ADD(t, steps) = (struct step){ e->num, s->ts, s->ts + s->dur };
    if (e->type == GEN_T_COMM)
        *ADD(t, colls) = (struct coll){ e->num,         e->b,  e->c,           e->ts,
                                        e->ts + e->dur, s->ts, s->ts + s->dur, f->n_elements };
}

void gen_truth_element(struct gen_truth *t, const struct gen_file *f, const struct gen_seen *s)
{
    t->elements++;
    t->intact += !s->cls;
    if (s->cls == GEN_C_LOST || s->cls == GEN_C_SKIPPED) {
        t->lost += s->cls == GEN_C_LOST;
        t->skipped += s->cls == GEN_C_SKIPPED;
        return;
    }
    t->delivered++;
    t->phases[(unsigned char)s->ph]++;
    count_cat(t, s->cat);
    if (s->ev)
        scheduled(t, f, s);
}

void gen_truth_planted(struct gen_truth *t, const struct gen_file *f, int plant,
                       const struct gen_seen *s, const char *name, size_t n)
{
    struct planted *p = ADD(t, planted);
    *p = (struct planted){ .plant = plant,
                           .cls = s && s->cls ? s->cls : gen_plants[plant].cls,
                           .element = f->n_elements,
                           .offset = f->elem_at,
                           .delivered = s != NULL };
    if (!s)
        return;
    p->ts = s->ts;
    p->dur = s->dur;
    if (!name)
        return;
    t->names = gen_more(t->names, &t->c_names, t->n_names + n, 1);
    memcpy(t->names + t->n_names, name, n);
    p->name = t->n_names;
    p->name_n = n;
    t->n_names += n;
}

/* ---- sums over device work ---- */

struct edge {
    int64_t at;
    int kind, step;
};
struct sums {
    int64_t span, busy, kind[3], exposed_comm, exposed_memory;
};

static int by_time(const void *pa, const void *pb)
{
    const struct edge *a = pa, *b = pb;
    return (a->at > b->at) - (a->at < b->at);
}

/* Walk over the sorted starts and ends with the number of open intervals of each kind. */
static struct sums sweep(const struct gen_truth *t)
{
    struct sums s = { 0 };
    struct edge *e = gen_alloc(2 * t->n_iv + 1, sizeof *e);
    size_t n = 0;
    int64_t open[3] = { 0 };

    for (size_t i = 0; i < t->n_iv; i++) {
        e[n++] = (struct edge){ t->iv[i].start, t->iv[i].kind, 1 };
        e[n++] = (struct edge){ t->iv[i].end, t->iv[i].kind, -1 };
    }
    if (n)
        qsort(e, n, sizeof *e, by_time);
    for (size_t i = 0; i < n; i++) {
        int64_t d = i ? e[i].at - e[i - 1].at : 0;
        if (open[0] || open[1] || open[2])
            s.busy += d;
        for (int k = 0; k < 3; k++)
            s.kind[k] += open[k] ? d : 0;
        if (open[KIND_COMM] && !open[KIND_COMPUTE])
            s.exposed_comm += d;
        if (open[KIND_MEMORY] && !open[KIND_COMPUTE] && !open[KIND_COMM])
            s.exposed_memory += d;
        open[e[i].kind] += e[i].step;
    }
    s.span = n ? e[n - 1].at - e[0].at : 0;
    free(e);
    return s;
}

/* ---- files ---- */

static FILE *create(const char *stem, const char *suffix)
{
    char path[4200];
    snprintf(path, sizeof path, "%s%s", stem, suffix);
    FILE *fp = fopen(path, "w");
    if (!fp)
        gen_die(4, "cannot write '%s': %s", path, strerror(errno));
    return fp;
}

static void done(FILE *fp, const char *stem)
{
    bool bad = ferror(fp);
    if (fclose(fp) || bad)
        gen_die(4, "cannot write the answers of '%s': %s", stem, strerror(errno));
}

static int by_link(const void *pa, const void *pb)
{
    const struct end_of_link *a = pa, *b = pb;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    if (a->device != b->device)
        return a->device ? 1 : -1;
    return (a->element > b->element) - (a->element < b->element);
}

struct link_sums {
    uint64_t links, launches, device, lonely, orphans;
};

static struct link_sums write_links(struct gen_truth *t, const char *stem)
{
    struct link_sums n = { 0 };
    FILE *fp = create(stem, ".links.tsv");

    fputs("launch\tdevice\n", fp);
    if (t->n_links)
        qsort(t->links, t->n_links, sizeof *t->links, by_link);
    for (size_t i = 0, k; i < t->n_links; i = k) {
        const struct end_of_link *l = &t->links[i];
        k = i + 1;
        n.launches += !l->device;
        if (l->device) { /* no launch in the file: it would stand first */
            n.device++;
            n.orphans++;
            continue;
        }
        for (; k < t->n_links && t->links[k].link == l->link; k++, n.links++)
            fprintf(fp, "%llu\t%llu\n", (unsigned long long)l->element,
                    (unsigned long long)t->links[k].element);
        n.device += k - i - 1;
        n.lonely += k == i + 1;
    }
    done(fp, stem);
    return n;
}

static void write_breakdown(const struct gen_truth *t, const struct gen_file *f, const char *stem)
{
    struct sums s = sweep(t);
    FILE *fp = create(stem, ".breakdown.tsv");
    fputs("rank\tspan_ns\tbusy_ns\tidle_ns\tcompute_ns\tcomm_ns\tmemory_ns\texposed_comm_"
          "ns\texposed_memory_ns\n",
          fp);
    fprintf(fp, "%d\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\n", f->rank, (long long)s.span,
            (long long)s.busy, (long long)(s.span - s.busy), (long long)s.kind[KIND_COMPUTE],
            (long long)s.kind[KIND_COMM], (long long)s.kind[KIND_MEMORY], (long long)s.exposed_comm,
            (long long)s.exposed_memory);
    done(fp, stem);
}

static void write_colls(const struct gen_truth *t, const struct gen_file *f, const char *stem)
{
    FILE *fp = create(stem, ".collectives.tsv");
    fputs("step\tgroup\tseq\tnelems\ttrue_start_ns\ttrue_end_ns\tstart_ns\tend_ns\telement\n", fp);
    for (size_t i = 0; i < t->n_colls; i++) {
        const struct coll *c = &t->colls[i];
        fprintf(fp, "%lld\t%d\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%llu\n", (long long)c->step,
                f->rank / f->j->size_of_group, (long long)c->seq, (long long)c->nelems,
                (long long)c->true_start, (long long)c->true_end, (long long)c->start,
                (long long)c->end, (unsigned long long)c->element);
    }
    done(fp, stem);
}

static bool is_utf8(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] == 0xff)
            return false; /* the only way that planted names go wrong */
    return true;
}

static void json_name(FILE *fp, const char *s, size_t n)
{
    if (!is_utf8(s, n)) {
        fputs(", \"name_hex\": \"", fp);
        for (size_t i = 0; i < n; i++)
            fprintf(fp, "%02x", (unsigned char)s[i]);
        fputs("\"", fp);
        return;
    }
    fputs(", \"name\": \"", fp);
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            fprintf(fp, "\\%c", s[i]);
        else if ((unsigned char)s[i] < 32)
            fprintf(fp, "\\u%04x", (unsigned)s[i]);
        else
            fputc(s[i], fp);
    }
    fputs("\"", fp);
}

static void json_planted(FILE *fp, const struct gen_truth *t)
{
    static const char *const classes[] = { "",        "tolerated", "lost", "skipped",
                                           "suspect", "structure", "file" };
    uint64_t n[GEN_N_PLANTS] = { 0 };
    bool any = false;

    for (size_t i = 0; i < t->n_planted; i++)
        n[t->planted[i].plant]++;
    fputs("  \"planted_counts\": {", fp);
    for (int i = 1; i < GEN_N_PLANTS; i++)
        if (n[i]) {
            fprintf(fp, "%s\"%s\": %llu", any ? ", " : "", gen_plants[i].name,
                    (unsigned long long)n[i]);
            any = true;
        }
    fputs("},\n  \"planted\": [", fp);
    for (size_t i = 0; i < t->n_planted; i++) {
        const struct planted *p = &t->planted[i];
        fprintf(
            fp,
            "%s\n    {\"defect\": \"%s\", \"class\": \"%s\", \"element\": %llu, \"offset\": %llu",
            i ? "," : "", gen_plants[p->plant].name, classes[p->cls],
            (unsigned long long)p->element, (unsigned long long)p->offset);
        if (p->delivered) {
            fprintf(fp, ", \"ts_ns\": %lld", (long long)p->ts);
            if (p->dur != -1)
                fprintf(fp, ", \"dur_ns\": %lld", (long long)p->dur);
            if (p->name_n)
                json_name(fp, t->names + p->name, p->name_n);
        }
        fputs("}", fp);
    }
    fputs("\n  ]\n", fp);
}

static bool strict_json(const struct gen_truth *t, const struct gen_file *f)
{
    if (f->out.limit != UINT64_MAX && gen_pos(&f->out) > f->out.limit)
        return false;
    for (size_t i = 0; i < t->n_planted; i++)
        if (gen_plants[t->planted[i].plant].breaks_json)
            return false;
    return true;
}

static void json_counts(FILE *fp, const struct gen_truth *t)
{
    bool any = false;
    fprintf(fp,
            "  \"elements\": %llu,\n  \"delivered\": %llu,\n  \"intact\": %llu,\n  \"lost\": "
            "%llu,\n  \"skipped\": %llu,\n",
            (unsigned long long)t->elements, (unsigned long long)t->delivered,
            (unsigned long long)t->intact, (unsigned long long)t->lost,
            (unsigned long long)t->skipped);
    fputs("  \"phases\": {", fp);
    for (int i = 1; i < 256; i++)
        if (t->phases[i]) {
            fprintf(fp, "%s\"%c\": %llu", any ? ", " : "", i, (unsigned long long)t->phases[i]);
            any = true;
        }
    fputs("},\n  \"categories\": {", fp);
    for (int i = 0; i < t->n_cats; i++)
        fprintf(fp, "%s\"%s\": %llu", i ? ", " : "", t->cats[i], (unsigned long long)t->n_cat[i]);
    fputs("},\n  \"steps\": [", fp);
    for (size_t i = 0; i < t->n_steps; i++)
        fprintf(fp, "%s\n    {\"number\": %lld, \"start_ns\": %lld, \"end_ns\": %lld}",
                i ? "," : "", (long long)t->steps[i].number, (long long)t->steps[i].start,
                (long long)t->steps[i].end);
    fputs("\n  ],\n", fp);
}

void gen_truth_write(struct gen_truth *t, const struct gen_file *f, const char *stem)
{
    const struct gen_opts *o = f->j->o;
    struct link_sums n = write_links(t, stem);
    uint64_t size = gen_pos(&f->out) < f->out.limit ? gen_pos(&f->out) : f->out.limit;

    write_breakdown(t, f, stem);
    if (o->collectives)
        write_colls(t, f, stem);
    FILE *fp = create(stem, ".truth.json");
    fprintf(fp,
            "{\n  \"rank\": %d,\n  \"source\": %d,\n  \"world_size\": %lld,\n  \"bytes\": %llu,\n  "
            "\"strict_json\": %s,\n",
            f->rank, f->source, (long long)o->ranks, (unsigned long long)size,
            strict_json(t, f) ? "true" : "false");
    fprintf(fp,
            "  \"base_ns\": %lld,\n  \"clock\": {\"offset_ns\": %lld, \"drift_ppb\": %lld, "
            "\"device_skew_ns\": %lld, \"stretch\": %lld, \"grid_ns\": %lld},\n",
            (long long)f->base, (long long)f->offset, (long long)f->drift, (long long)f->skew,
            (long long)o->stretch, (long long)o->grid_ns);
    fprintf(fp, "  \"straggler\": %lld,\n", (long long)o->straggler);
    if (o->idle_ns && o->sources == 1) {
        for (int c = 0; c < GEN_N_IDLE; c++)
            fprintf(fp, "%s\"%s\": %lld", c ? ", " : "  \"idle_ns\": {", gen_idle_name(c),
                    (long long)gen_idle_ns(o, c));
        fputs("},\n", fp);
    }
    if (f->cut_element != UINT64_MAX)
        fprintf(fp, "  \"cut_element\": %llu,\n", (unsigned long long)f->cut_element);
    fprintf(fp,
            "  \"launches\": %llu,\n  \"device_events\": %llu,\n  \"links\": %llu,\n  "
            "\"launches_without_device\": %llu,\n"
            "  \"device_without_launch\": %llu,\n",
            (unsigned long long)n.launches, (unsigned long long)n.device,
            (unsigned long long)n.links, (unsigned long long)n.lonely,
            (unsigned long long)n.orphans);
    json_counts(fp, t);
    fprintf(fp, "  \"not_planted\": %llu,\n", (unsigned long long)f->planter->missed);
    json_planted(fp, t);
    fputs("}\n", fp);
    done(fp, stem);
}
