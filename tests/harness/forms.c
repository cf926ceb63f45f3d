/* SPDX-License-Identifier: MIT */
/*
 * Runs a program on every form of its input: raw traces, streams made of them, a pipe.
 *
 * A link named after a program, on PATH before the program itself, takes the program's place (forms.sh makes
 * such a folder).  From outside:
 *
 *     TR_FORMS_BIN    folder of the programs
 *     TR_FORMS_CACHE  folder for streams; the caller removes it
 *     TR_FORMS_MODE   all: run on the traces as given, then on each other form; status and standard output must
 *                     be the same, or the status is 98 and standard error shows what differs.  turn: the same
 *                     with one other form, which depends on the command and on TR_FORMS_TURN, a text.  one: run
 *                     on one form, which depends on the bytes of the traces
 *
 * A command is run as it is if it has no raw trace among its operands, takes something from standard input,
 * says of what format its input is, or writes a file.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIFFERS = 98, BROKEN = 99, OPERANDS_MAX = 64, PATH_SIZE = 4096 };

/* Files after these options are no traces. */
static const char *const takes_file[] = { "--rules", "--offsets", "--anchor", "--attach-capture", "--attach", NULL };
/* Commands with these options are left alone; a value may follow after "=". */
static const char *const left_alone[] = {
    "-o", "--output", "--input-format", "--save-partial", "--strict", "--files0-from", "--keys", "-", NULL
};

struct operand {
    int at;        /* in argv */
    uint64_t hash; /* of its bytes */
};

static char real_program[PATH_SIZE];
static const char *program, *folder, *cache;
static struct operand operands[OPERANDS_MAX];
static int n_operands;

static void fail(const char *what)
{
    perror(what);
    exit(BROKEN);
}

static uint64_t mix(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_option(const char *arg, const char *const *list)
{
    for (; *list; list++) {
        size_t n = strlen(*list);
        if (strcmp(arg, *list) == 0 || (n > 2 && strncmp(arg, *list, n) == 0 && arg[n] == '='))
            return true;
    }
    return false;
}

/* Is this file a trace that is no stream?  *hash: of its bytes. */
static bool raw_trace(const char *path, uint64_t *hash)
{
    static const unsigned char signature[4] = { 0xd4, 'T', 'R', '\n' };
    unsigned char buf[65536];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
        return false;
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, buf, sizeof buf);
    bool raw = n < 4 || memcmp(buf, signature, sizeof signature) != 0;
    *hash = UINT64_C(0xcbf29ce484222325);
    for (; raw && n > 0; n = read(fd, buf, sizeof buf))
        *hash = mix(*hash, buf, (size_t)n);
    close(fd);
    return raw;
}

/* Fills operands; false if the command is to be left alone. */
static bool find_operands(int argc, const char *const *argv)
{
    for (int i = 1; i < argc; i++) {
        uint64_t hash;
        if (is_option(argv[i], left_alone) || n_operands == OPERANDS_MAX)
            return false;
        if (argv[i][0] != '-' && !is_option(argv[i - 1], takes_file) && raw_trace(argv[i], &hash))
            operands[n_operands++] = (struct operand){ i, hash };
    }
    return n_operands > 0;
}

/* Runs argv with these as standard input and output, if they are no less than 0; the exit status. */
static int run(const char *const *argv, int in, int out, bool quiet)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        int null = quiet ? open("/dev/null", O_WRONLY) : -1;
        if ((in >= 0 && dup2(in, 0) < 0) || (out >= 0 && dup2(out, 1) < 0) ||
            (null >= 0 && dup2(null, 2) < 0))
            _exit(BROKEN);
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(BROKEN);
    }
    int status;
    if (waitpid(child, &status, 0) != child)
        fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The stream of n operands from the first on, made if it is not there yet; NULL if there is none. */
static char *stream_of(const char *const *argv, int first, int n)
{
    char parse[PATH_SIZE], *name = malloc(PATH_SIZE);
    const char *made[OPERANDS_MAX + 7];
    uint64_t hash = 0;
    int k = 0;
    if (!name)
        fail("malloc");
    for (int i = first; i < first + n; i++)
        hash = mix(mix(hash, &operands[i].hash, sizeof hash), argv[operands[i].at],
                   strlen(argv[operands[i].at]) + 1);
    snprintf(name, PATH_SIZE, "%s/%016" PRIx64 ".trs", cache, hash);
    if (access(name, R_OK) == 0)
        return name;
    snprintf(parse, sizeof parse, "%s/tr-parse", folder);
    made[k++] = parse;
    made[k++] = "-q";
    made[k++] = "--no-provenance"; /* what tr-info says of traces, which have none */
    made[k++] = "-o";
    made[k++] = name;
    for (int i = first; i < first + n; i++)
        made[k++] = argv[operands[i].at];
    made[k] = NULL;
    if (run(made, -1, -1, true) == 0)
        return name;
    free(name);
    return NULL;
}

/* Did a trace get its rank from its place among the operands?  Its stream does not know that. */
static bool rank_by_place(const char *stream)
{
    char info[PATH_SIZE], answer[PATH_SIZE + 8];
    struct stat st;
    snprintf(info, sizeof info, "%s/tr-info", folder);
    snprintf(answer, sizeof answer, "%s.place", stream); /* empty: no */
    const char *const look[] = {
        "/bin/sh", "-c",   "\"$0\" -q -O json \"$1\" | grep '\"rank_from\": \"order\"' >\"$2\"",
        info,      stream, answer,
        NULL
    };
    if (stat(answer, &st) != 0) {
        run(look, -1, -1, true);
        if (stat(answer, &st) != 0)
            fail(answer);
    }
    return st.st_size > 0;
}

/* A pipe that gives the bytes of a file: its reading end. */
static int pipe_from(const char *path)
{
    int ends[2], fd = open(path, O_RDONLY);
    if (fd < 0 || pipe(ends) != 0)
        fail(path);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        char buf[65536];
        ssize_t n;
        close(ends[0]);
        while ((n = read(fd, buf, sizeof buf)) > 0 && write(ends[1], buf, (size_t)n) == n)
            ;
        _exit(0);
    }
    close(fd);
    close(ends[1]);
    return ends[0];
}

enum form { RAW, STREAMS, JOINED, PIPED, N_FORMS };
static const char *const form_names[N_FORMS] = { "traces", "streams", "one stream", "a pipe" };

/* The command with another form of its input; NULL if there is none.  *in: standard input, or -1. */
static const char **with_form(int argc, const char *const *argv, enum form form, int *in)
{
    const char **made = calloc((size_t)argc + 1, sizeof *made);
    bool by_rank = strcmp(program, "tr-diff") != 0, separate = form == STREAMS || !by_rank;
    int k = 0, next = 0;
    if (!made)
        fail("calloc");
    *in = -1;
    if (form == JOINED && (n_operands == 1 || separate))
        return NULL;
    for (int i = 0; i < argc; i++) {
        if (next == n_operands || operands[next].at != i) {
            made[k++] = argv[i];
            continue;
        }
        next++;
        if (!separate && next > 1)
            continue;
        char *stream = stream_of(argv, next - 1, separate ? 1 : n_operands);
        if (!stream || (form == STREAMS && n_operands > 1 && by_rank && rank_by_place(stream)))
            return NULL;
        bool piped = form == PIPED && next == 1;
        if (piped)
            *in = pipe_from(stream);
        made[k++] = piped ? "-" : stream;
    }
    made[0] = real_program;
    return made;
}

/* $0 and $1 are equal, apart from the name $2 in $0, which is $3 in $1. */
static const char named[] =
    "sed \"s#$3#$2#g\" \"$1\" >\"$1.named\" && mv \"$1.named\" \"$1\"\n"
    "cmp -s \"$0\" \"$1\"";

static int temporary(char *path, const char *what)
{
    snprintf(path, PATH_SIZE, "%s/%s.%ld", cache, what, (long)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        fail(path);
    return fd;
}

static bool equal(const char *a, const char *b)
{
    FILE *f = fopen(a, "r"), *g = fopen(b, "r");
    int x, y;
    if (!f || !g)
        fail(f ? b : a);
    do {
        x = getc(f);
        y = getc(g);
    } while (x == y && x != EOF);
    fclose(f);
    fclose(g);
    return x == y;
}

/* Is what a stream gave (have) what the trace gave (want)?  tr-info names its first input. */
static bool same(const char *want, const char *have, const char *trace, const char *stream)
{
    if (!*stream)
        return equal(want, have);
    const char *const compare[] = { "/bin/sh", "-c", named, want, have, trace, stream, NULL };
    return run(compare, -1, -1, false) == 0;
}

/* Is what a file holds an event stream?  Then bytes may differ where events do not. */
static bool is_stream(const char *path)
{
    uint64_t hash;
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0 && !raw_trace(path, &hash);
}

/* Do output and messages go to one file?  Then their order is seen. */
static bool one_output(void)
{
    struct stat out, messages;
    return fstat(1, &out) == 0 && fstat(2, &messages) == 0 && out.st_dev == messages.st_dev &&
           out.st_ino == messages.st_ino;
}

static void copy(int from)
{
    char buf[65536];
    ssize_t n;
    lseek(from, 0, SEEK_SET);
    while ((n = read(from, buf, sizeof buf)) > 0)
        if (write(1, buf, (size_t)n) != n)
            fail("standard output");
}

/* Does a command write a picture or page?  They name their inputs in several places. */
static bool draws(const char *const *argv)
{
    bool yes = false;
    for (int i = 1; argv[i] && !yes; i++)
        yes = strcmp(argv[i], "svg") == 0 || strcmp(argv[i], "vega") == 0 || strcmp(argv[i], "html") == 0;
    return yes;
}

/* The other form with which a command starts when it has a turn, so that cases and their commands have all forms. */
static int first_form(const char *const *argv, const char *turn)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), turn, strlen(turn));
    for (int i = 1; argv[i]; i++)
        hash = mix(hash, argv[i], strlen(argv[i]));
    return (int)((hash >> 32) % (N_FORMS - STREAMS));
}

/* turn: NULL: with all forms, else with one. */
static int run_all(int argc, const char **argv, const char *turn)
{
    char want[PATH_SIZE], have[PATH_SIZE];
    bool again = one_output(), names_input = strcmp(program, "tr-info") == 0;
    int out = temporary(want, "want"), in, status, first = turn ? first_form(argv, turn) : 0, tried = 0;
    bool compared = !draws(argv);
    argv[0] = real_program;
    status = run(argv, -1, out, again);
    if (!again)
        copy(out);
    close(out);
    for (int i = 0; compared && status <= 1 && i < N_FORMS - STREAMS && !(turn && tried) && !is_stream(want); i++) {
        enum form form = (enum form)(STREAMS + (first + i) % (N_FORMS - STREAMS));
        const char **command = with_form(argc, argv, form, &in);
        if (!command)
            continue;
        tried++;
        out = temporary(have, "have");
        int found = run(command, in, out, true);
        close(out);
        if (in >= 0)
            close(in);
        const char *name = form == PIPED ? "standard input" : command[operands[0].at];
        if (found != status || !same(want, have, argv[operands[0].at], names_input ? name : "")) {
            const char *const diff[] = { "/usr/bin/env", "diff", "-u", want, have, NULL };
            fprintf(stderr, "%s, not from traces but from %s: status %d, not %d\n", program,
                    form_names[form], found, status);
            for (int k = 1; argv[k]; k++)
                fprintf(stderr, "%s%s", argv[k], argv[k + 1] ? " " : "\n");
            run(diff, -1, 2, false);
            status = DIFFERS;
        }
        unlink(have);
        free(command);
    }
    unlink(want);
    return again && status != DIFFERS ? run(argv, -1, -1, false) : status;
}

enum { JOBS = 12 }; /* one of so many jobs reads streams, one reads one stream, one a pipe */

/* Jobs of a test take turns; all commands on one job read the same form, so that its stream is made once. */
static void run_one(int argc, const char *const *argv)
{
    uint64_t hash = 0;
    int in;
    for (int i = 0; i < n_operands; i++)
        hash = mix(hash, &operands[i].hash, sizeof hash);
    unsigned turn = (unsigned)((hash >> 32) % JOBS);
    enum form form = turn < N_FORMS ? (enum form)turn : RAW;
    const char **command = form == RAW ? NULL : with_form(argc, argv, form, &in);
    if (command && in >= 0)
        dup2(in, 0);
    execv(real_program, (char *const *)(uintptr_t)(command ? command : argv));
    fail(real_program);
}

int main(int argc, const char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *mode = getenv("TR_FORMS_MODE");
    program = slash ? slash + 1 : argv[0];
    folder = getenv("TR_FORMS_BIN");
    cache = getenv("TR_FORMS_CACHE");
    if (!folder || !cache) {
        fprintf(stderr, "%s: TR_FORMS_BIN and TR_FORMS_CACHE are needed\n", argv[0]);
        return BROKEN;
    }
    snprintf(real_program, sizeof real_program, "%s/%s", folder, program);
    if (!find_operands(argc, argv)) {
        execv(real_program, (char *const *)(uintptr_t)argv);
        fail(real_program);
    }
    if (mode && strcmp(mode, "one") == 0)
        run_one(argc, argv);
    return run_all(argc, argv, mode && strcmp(mode, "turn") == 0 ? getenv("TR_FORMS_TURN") : NULL);
}
