/* SPDX-License-Identifier: MIT */
/* Functions for inputs of events of every kind. */
#include "stream/tr_input.h"

void tr_input_close(struct tr_input *in)
{
    if (in)
        in->ops->close(in->self);
}

bool tr_input_want(struct tr_input *in, const struct tr_projection *want)
{
    return !in->ops->want || in->ops->want(in->self, want);
}

void tr_input_only(struct tr_input *in, const struct tr_needed *needed)
{
    if (in->sorted && in->ops->only)
        in->ops->only(in->self, needed);
}

void tr_input_ahead(struct tr_input *in, unsigned n_blocks)
{
    if (in->ops->ahead)
        in->ops->ahead(in->self, n_blocks);
}

void tr_input_drop_rows(struct tr_input *in, const char *begin)
{
    if (in->ops->drop_rows)
        in->ops->drop_rows(in->self, begin);
}
