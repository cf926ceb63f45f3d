#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: sanitized.sh SOURCE BUILD (by tests/Makefile, in the folder that is to hold the programs)
# Builds all programs once more, with address and undefined behaviour sanitizers: for tests that look for
# faults which do not show in what a program prints.  What has not changed is not compiled again.  Where the
# compiler has no such sanitizers, the file `absent' says so instead.
#
# From outside: CC, CPPFLAGS, LDFLAGS, LIBS as configured; MAKE.
src=$1
build=$2
flags='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
: "${CC:=cc}" "${MAKE:=make}"

echo 'int main(void) { return 0; }' >probe.c
# shellcheck disable=SC2086 # words
if ! { $CC $flags -o probe probe.c $LDFLAGS $LIBS && ./probe; } >probe.log 2>&1; then
    rm -f tracepipe tr-*
    echo "$CC has no address and undefined behaviour sanitizers" >absent
    exit 0
fi
rm -f absent

# Functions with clones for newer processors start before the sanitizers do.
sed '/TR_HAVE_CLONES/d' "$build/config.h" >config.new
if cmp -s config.new config.h; then rm config.new; else mv config.new config.h; fi

programs=$(awk -F '\t' '!/^#/ && NF { printf "%s ", $1 }' "$src/tools/tools.list")
{
    # One file of rules for every make: sources are found here, their headers by the compiler.
    objects=
    rules=
    for c in $(find "$src/libcore" "$src/tools" -name '*.c' ! -name '*_builtin.c' ! -name replay_script.c ! -name tr_library_none.c | sort) \
        $(find "$build/libcore" "$build/tools" -name '*_builtin.c' | sort) "$build/tools/replay/replay_script.c"; do
        o=$(echo "${c#"$src"/}" | sed 's,^.*/libcore/,libcore/,; s,^.*/tools/,tools/,; s,/,_,g; s,c$,o,')
        d=${o%.o}.d
        [ ! -f "$d" ] || grep -q -F " $c" "$d" || rm -f "$d" "$o" # the source has moved
        objects="$objects $o"
        rules="$rules$o: $c config.h
	@\$(CC) \$(CFLAGS) -MMD -MP -c -o $o $c
"
    done
    echo "all: $programs"
    printf '%s: tracepipe\n\t@rm -f $@ && ln -s tracepipe $@\n' "$programs"
    printf 'tracepipe: all.a\n\t@$(CC) $(CFLAGS) -o tracepipe tools_tracepipe.o all.a $(LDFLAGS) $(LIBS)\n'
    printf 'all.a:%s\n\t@rm -f all.a && ar cr all.a%s\n' "$objects" "$objects"
    echo "$rules"
    for o in $objects; do
        [ ! -f "${o%.o}.d" ] || cat "${o%.o}.d"
    done
} >rules.mk
$MAKE -f rules.mk CC="$CC" LDFLAGS="$LDFLAGS" LIBS="$LIBS -lm" \
    CFLAGS="$CPPFLAGS -include ./config.h -I$src/tools -I$src/libcore -DTR_PKGLIBDIR='\"\"' -std=c11 -O0 -g1 $flags"
