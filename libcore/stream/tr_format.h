/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the stream format: its version, its limits and its codecs.  tr-stream(5).
 */
#ifndef TR_FORMAT_H
#define TR_FORMAT_H

#define TR_FORMAT_MAJOR 2 /* readers refuse another one */
#define TR_FORMAT_MINOR 1

#define TR_SOFT_RAW (1u << 20)    /* raw size of a block, unless one row or event is larger */
#define TR_MAX_RAW (16u << 20)    /* raw size that a reader accepts */
#define TR_MAX_STORED (32u << 20) /* payload that a reader accepts */
#define TR_MAX_EVENTS 65536u      /* events in one block */
#define TR_MAX_SLOTS 65536u       /* members of one shape, and packed columns in one block */

/* How the bytes of a block or column are compressed. */
enum tr_codec { TR_CODEC_NONE = 0, TR_CODEC_LZ4 = 1, TR_CODEC_ZLIB = 2, TR_N_CODECS };

#endif
