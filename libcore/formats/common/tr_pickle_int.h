/* SPDX-License-Identifier: MIT */
/*
 * Pickles of Python as plain data: dictionaries, lists, tuples, texts, numbers, True, False and None, in any protocol.
 *
 * A pickle is a program that may call any function.  So this reader knows only what makes plain data, and refuses
 * everything else by its name and place.  The result is JSON text, for the readers of the same data as JSON.
 *
 * Internal to libcore.
 */
#ifndef TR_PICKLE_INT_H
#define TR_PICKLE_INT_H

#include "stream/format/tr_paged_int.h"

/*
 * Lists that a pickle has once, for many dictionaries: the value of this key is written in full when it comes first,
 * then as its number in order of the first ones.  Values of this key that are no lists become null.
 */
struct tr__pickle_once {
    const char *key;
    struct tr_paged at; /* size_t, by number: its place in the JSON */
};

/*
 * Append a pickle as JSON.  Tuples and sets become arrays; keys that are numbers become texts; bytes become texts.
 * json, of bytes, says how much memory it and what is known of the values may take each, and where the rest goes.
 * once: NULL: all lists are written in full.
 *
 * TR_OK; TR_DAMAGED: it is none, is cut, makes an object, or is larger as JSON than max bytes, err has the place;
 * TR_SYSTEM.
 */
enum tr_status tr__pickle_json(const unsigned char *p, size_t n, size_t max, struct tr_paged *json,
                               struct tr__pickle_once *once, struct tr_error *err);

#endif
