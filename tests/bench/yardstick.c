/* SPDX-License-Identifier: MIT */
/*
 * yardstick: the least that any reader of a JSON trace has to do, as a measure for the others.
 *
 *     yardstick FILE         find the bounds of every event and tokenize it with jsmn: yardstick J
 *     yardstick --scan FILE  find the bounds alone
 *
 * One thread, one buffer of 8 MiB, read(2).  Nothing is interned, converted or kept.  Prints one
 * line, "events E bytes B tokens T".  Events are the objects in the array "traceEvents", or in a
 * bare array.
 */
#define JSMN_PARENT_LINKS /* without them closing a bracket walks back over all tokens */
#define JSMN_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <jsmn.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (8u << 20)
#define MAX_TOKENS 65536u

struct scan {
    char *buf;
    size_t len;         /* bytes in buf */
    size_t pos;         /* next byte to look at */
    size_t event;       /* where the current event starts, SIZE_MAX: none is open */
    unsigned depth;     /* open brackets */
    unsigned list;      /* depth inside the array of events, 0: not there yet */
    bool key_is_events; /* the last string at depth 1 was "traceEvents" */
    bool tokenize;
    jsmntok_t *tokens;
    uint64_t n_events, n_bytes, n_tokens;
};

/* Bytes that end a run inside a string and outside of strings; 0 stands after the buffer. */
static const bool ends_text[256] = { ['"'] = true, ['\\'] = true, [0] = true };
static const bool ends_gap[256] = {
    ['"'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, [0] = true,
};

/* The byte after the string that opens at p, or NULL when it does not end before end. */
static const char *string_end(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        while (!ends_text[(unsigned char)*p])
            p++;
        if (*p == '"')
            return p + 1;
        if (*p == '\\')
            p++;
    }
    return NULL;
}

static int take_event(struct scan *s, const char *start, size_t len)
{
    s->n_events++;
    if (s->tokenize) {
        jsmn_parser parser;
        int n;

        jsmn_init(&parser);
        n = jsmn_parse(&parser, start, len, s->tokens, MAX_TOKENS);
        if (n < 0) {
            fprintf(stderr, "yardstick: event %" PRIu64 " cannot be tokenized\n", s->n_events - 1);
            return -1;
        }
        s->n_tokens += (uint64_t)n;
    }
    return 0;
}

/* A bracket that closes: the end of an event or of the list of events, if it is theirs. */
static int close_bracket(struct scan *s, const char *after)
{
    if (s->depth == 0) {
        fprintf(stderr, "yardstick: a bracket closes that was never opened\n");
        return -1;
    }
    s->depth--;
    if (s->event != SIZE_MAX && s->depth == s->list) {
        const char *start = s->buf + s->event;

        s->event = SIZE_MAX;
        return take_event(s, start, (size_t)(after - start));
    }
    if (s->list != 0 && s->depth < s->list)
        s->list = 0;
    return 0;
}

/* Scan what the buffer holds; stops early inside a string that does not end in it. */
static int scan_buffer(struct scan *s)
{
    const char *p = s->buf + s->pos, *end = s->buf + s->len, *after;

    s->buf[s->len] = '\0';
    for (; p < end; p++) {
        while (!ends_gap[(unsigned char)*p])
            p++;
        if (p == end)
            break;
        switch (*p) {
        case '"':
            after = string_end(p, end);
            if (after == NULL)
                goto out;
            if (s->depth == 1 && s->list == 0)
                s->key_is_events = after - p == 13 && memcmp(p, "\"traceEvents\"", 13) == 0;
            p = after - 1;
            break;
        case '{':
            if (s->list != 0 && s->depth == s->list)
                s->event = (size_t)(p - s->buf);
            s->depth++;
            break;
        case '[':
            s->depth++;
            if (s->list == 0 && (s->depth == 1 || (s->depth == 2 && s->key_is_events)))
                s->list = s->depth;
            break;
        case '}':
        case ']':
            if (close_bracket(s, p + 1) != 0)
                return -1;
            break;
        default:
            break;
        }
    }
out:
    s->pos = (size_t)(p - s->buf);
    return 0;
}

/* Make room after what is still needed: the open event, or the string that has not ended. */
static int keep_tail(struct scan *s)
{
    size_t keep = s->event != SIZE_MAX ? s->event : s->pos;

    if (keep == 0 && s->len == BUFFER_BYTES) {
        fprintf(stderr, "yardstick: an event is longer than the buffer\n");
        return -1;
    }
    memmove(s->buf, s->buf + keep, s->len - keep);
    s->len -= keep;
    s->pos -= keep;
    if (s->event != SIZE_MAX)
        s->event = 0;
    return 0;
}

static int scan_file(struct scan *s, int fd)
{
    ssize_t got;

    while ((got = read(fd, s->buf + s->len, BUFFER_BYTES - s->len)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            perror("yardstick: read");
            return -1;
        }
        s->len += (size_t)got;
        s->n_bytes += (uint64_t)got;
        if (scan_buffer(s) != 0 || keep_tail(s) != 0)
            return -1;
    }
    if (s->depth != 0) {
        fprintf(stderr, "yardstick: the text ends in the middle\n");
        return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct scan s = { .event = SIZE_MAX, .tokenize = true };
    int fd = -1, status = EXIT_FAILURE;

    if (argc == 3 && strcmp(argv[1], "--scan") == 0) {
        s.tokenize = false;
    } else if (argc != 2) {
        fprintf(stderr, "usage: yardstick [--scan] FILE\n");
        return 2;
    }
    s.buf = malloc(BUFFER_BYTES + 1);
    s.tokens = malloc(MAX_TOKENS * sizeof *s.tokens);
    if (s.buf == NULL || s.tokens == NULL) {
        perror("yardstick");
        goto out;
    }
    fd = open(argv[argc - 1], O_RDONLY);
    if (fd < 0) {
        perror(argv[argc - 1]);
        goto out;
    }
    if (scan_file(&s, fd) != 0)
        goto out;
    printf("events %" PRIu64 " bytes %" PRIu64 " tokens %" PRIu64 "\n", s.n_events, s.n_bytes,
           s.n_tokens);
    status = EXIT_SUCCESS;
out:
    if (fd >= 0)
        close(fd);
    free(s.tokens);
    free(s.buf);
    return status;
}
