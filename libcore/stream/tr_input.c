#include "stream/tr_input.h"

void tr_input_close(struct tr_input *in)
{
    if (in)
        in->ops->close(in->self);
}
