/* SPDX-License-Identifier: MIT */
/*
 * Numbers in a stream that name another thing: the last one that there is is read, one more is refused.
 *
 * The writer takes what it is given, so a stream is made with each number as it may be at most, and beyond it.
 */
#include "stream_make.h"

struct number {
    const char *what;
    uint32_t *at;
    size_t n; /* how many things there are to name */
};

static enum tr_status reread(const struct made *m, struct tr_error *err)
{
    struct tr_buf bytes = { NULL, 0, 0 };
    struct tr_writer_opts o = { TR_CODEC_NONE, 0, 1, 0 };
    enum tr_status st = write_made(m, &o, true, 0, &bytes, NULL);
    if (st == TR_OK) {
        struct memory_source source = { .data = bytes.data, .len = bytes.len };
        st = read_text(&source, NULL, err);
    }
    tr_buf_free(&bytes);
    return st;
}

/* A source with a header, a track with names, a clock, an event: nothing refers to what is not there. */
static struct made make(void)
{
    struct made m = make_stream(&(struct recipe){ 5, 30, true, 0 });
    struct tr_dict *d = m.dict;
    struct tr_source *s = &d->sources[0];
    uint32_t text = tr_strtab_add(d->strings, "a text", 6);
    uint32_t *keys = realloc(s->header_keys, sizeof *keys), *values = realloc(s->header_values, sizeof *values);
    NEED(text != TR_NO_STR && keys && values);
    s->header_keys = keys;
    s->header_values = values;
    s->n_header = 1;
    s->events_at = 0;
    keys[0] = values[0] = s->name = s->host = s->mesh = s->format = s->job = text;
    struct tr_track *t = &d->tracks[0];
    t->process_name = t->thread_name = t->labels = text;
    t->source = 0;
    for (size_t i = 0; i < m.batch->n; i++)
        m.batch->name[i] = m.batch->cat[i] = text;
    return m;
}

int main(void)
{
    struct tap t = { 0, 0 };
    struct made m = make();
    struct tr_dict *d = m.dict;
    struct tr_source *s = &d->sources[0];
    struct tr_track *k = &d->tracks[0];
    const size_t strings = tr_strtab_count(d->strings);
    const struct number numbers[] = {
        { "key of a header", &s->header_keys[0], strings },
        { "value of a header", &s->header_values[0], strings },
        { "name of a source", &s->name, strings },
        { "host of a source", &s->host, strings },
        { "mesh of a source", &s->mesh, strings },
        { "format of a source", &s->format, strings },
        { "job of a source", &s->job, strings },
        { "members before the events", &s->events_at, 2 }, /* of one member: none or one */
        { "source of a track", &k->source, d->n_sources },
        { "process of a track", &k->process_name, strings },
        { "thread of a track", &k->thread_name, strings },
        { "labels of a track", &k->labels, strings },
        { "name of an event", &m.batch->name[3], strings },
        { "category of an event", &m.batch->cat[3], strings },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const uint32_t before = *numbers[i].at;
        struct tr_error err = TR_ERROR_INIT;
        *numbers[i].at = (uint32_t)numbers[i].n - 1;
        enum tr_status st = reread(&m, &err);
        tap_ok(&t, st == TR_END, "%s: the last one: %s", numbers[i].what, err.what);
        *numbers[i].at = (uint32_t)numbers[i].n;
        st = reread(&m, &err);
        tap_ok(&t, st == TR_DAMAGED && err.what[0], "%s: one more: %s", numbers[i].what, err.what);
        *numbers[i].at = before;
    }
    made_free(&m);
    return tap_end(&t);
}
