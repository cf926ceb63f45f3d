/* SPDX-License-Identifier: MIT */
/*
 * A program of a wheel: it becomes tracepipe, the file beside it, which does what its name says.  A wheel has no links.
 * Without a C library it takes 0.06 ms; a script of the shell would take 0.5 ms.
 */
#define READLINK 89
#define EXECVE   59
#define EXIT     60
#define NOT_RUN  126

static long call(long number, const void *a, const void *b, const void *c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

/* stack: the number of arguments, the arguments, NULL, the environment. */
__attribute__((used)) static void start(const long *stack)
{
    static const char own[] = "/proc/self/exe", name[] = "tracepipe";
    char path[4096 + sizeof name];
    long n = call(READLINK, own, path, (const void *)4096l);
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n > 0) {
        for (unsigned long i = 0; i < sizeof name; i++)
            path[(unsigned long)n + i] = name[i];
        call(EXECVE, path, stack + 1, stack + 2 + stack[0]);
    }
    for (;;)
        call(EXIT, (const void *)(long)NOT_RUN, 0, 0);
}

__asm__(".globl _start\n"
        "_start:\n"
        "    mov %rsp, %rdi\n"
        "    and $-16, %rsp\n"
        "    call start\n");
