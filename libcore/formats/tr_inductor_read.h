/* SPDX-License-Identifier: MIT */
/*
 * The folder in which inductor, the compiler of PyTorch, keeps the code that it generated (vendor/tr_inductor.h).
 *
 *     struct tr_inductor *cache = tr_inductor_new();
 *     st = tr_inductor_read_folder(cache, "/tmp/torchinductor_me", &err);
 */
#ifndef TR_INDUCTOR_READ_H
#define TR_INDUCTOR_READ_H

#include "base/tr_status.h"
#include "vendor/tr_inductor.h"

/*
 * Add the files *.py of a folder and of those in it, in bytewise order.  TR_OK; TR_NO: no kernel is in them; TR_SYSTEM:
 * one of them cannot be read.
 */
enum tr_status tr_inductor_read_folder(struct tr_inductor *c, const char *path, struct tr_error *err);

#endif
