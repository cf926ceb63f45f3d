/* SPDX-License-Identifier: MIT */
/* One loop over the frames of LZ4 and zstd data. */
#include "io/tr_codec_frames.h"

/* The number of bytes to pass to the library: a block without the header after it. */
static size_t portion(const struct tr__frames *f)
{
    size_t want = f->hint, avail = tr__peek_avail(f->src);
    if (want > f->extra)
        want -= f->extra;
    else if (want > f->header)
        want -= f->header;
    if (f->pending)
        return 0;
    return want < avail ? want : avail;
}

/* The input is inside a frame, and there are bytes to decode. */
static enum tr_status find_input(struct tr__frames *f, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (f->place == TR__FRAME_AFTER && (st = tr__next_member(f->src, f->ops->codec, err)) != TR_OK)
        return st;
    if (f->place != TR__FRAME_INSIDE) {
        f->place = TR__FRAME_INSIDE;
        f->pending = false;
        if ((st = f->ops->start(f, err)) != TR_OK)
            return st;
    }
    if (!f->pending)
        st = tr__peek_fill(f->src, 1, err);
    return st == TR_END ? tr__peek_cut(f->src, f->ops->codec->name, err) : st;
}

enum tr_status tr__frames_read(void *state, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct tr__frames *f = state;
    *got = 0;
    for (;;) {
        enum tr_status st = find_input(f, err);
        if (st != TR_OK)
            return st;
        size_t used = portion(f), made = cap;
        const char *wrong = f->ops->decode(f, tr__peek_data(f->src), &used, buf, &made);
        if (wrong) {
            tr_error_place(err, "compressed byte %llu", (unsigned long long)f->src->at);
            return tr_fail(err, TR_DAMAGED, "damaged %s data (%s)", f->ops->codec->name, wrong);
        }
        tr__peek_use(f->src, (ptrdiff_t)used);
        f->pending = made == cap;
        f->place = f->hint ? TR__FRAME_INSIDE : TR__FRAME_AFTER;
        *got = made;
        if (made)
            return TR_OK;
    }
}
