# SPDX-License-Identifier: MIT
# Check for the packages that building tracepipe needs, and install missing ones if possible.  demo.sh and check.sh
# read this file with `.'.  It defines tracepipe_setup.
# shellcheck shell=sh

# tr_try TEXT FLAG...: can the program text be compiled and linked?
tr_try()
{
    text=$1
    shift
    dir=$(mktemp -d "${TMPDIR:-/tmp}/tr-setup.XXXXXX") || return 1
    printf '%s\nint main(void) { return 0; }\n' "$text" >"$dir/x.c"
    # shellcheck disable=SC2086 # CC may be "ccache gcc"
    ${CC:-cc} -o "$dir/x" "$dir/x.c" "$@" >/dev/null 2>&1
    found=$?
    rm -rf "$dir"
    return $found
}

# Names of missing programs and libraries.
tr_missing()
{
    compiler=${CC:-cc}
    compiler=${compiler%% *} # CC may be "ccache gcc"
    command -v "$compiler" >/dev/null || echo "$compiler"
    command -v make >/dev/null || echo make
    if [ ! -x configure ]; then # a checkout; an archive has it, and needs no more to build
        for program in autoreconf automake; do
            command -v $program >/dev/null || echo $program
        done
        command -v libtoolize >/dev/null || command -v glibtoolize >/dev/null || echo libtool
    fi
    command -v "$compiler" >/dev/null || {
        echo "zlib lz4 nettle xxhash jsmn"
        return
    }
    tr_try '#include <zlib.h>' -lz || echo zlib
    tr_try '#include <lz4.h>' -llz4 || echo lz4
    tr_try '#include <nettle/hmac.h>' -lnettle || echo nettle
    tr_try '#define XXH_INLINE_ALL
#include <xxhash.h>
#if XXH_VERSION_NUMBER < 800
#error too old
#endif' || echo xxhash
    case ${TR_CONFIGURE:-} in
    *--with-jsmn=*) ;;
    *) tr_try '#include <jsmn.h>' || echo jsmn ;;
    esac
}

# The command that installs everything, by the package manager found.
tr_install_line()
{
    autotools=
    [ -x configure ] || autotools="autoconf automake libtool "
    if command -v apt-get >/dev/null; then
        echo "apt-get install -y gcc make ${autotools}zlib1g-dev liblz4-dev nettle-dev libxxhash-dev libjsmn-dev"
    elif command -v dnf >/dev/null; then
        echo "dnf install -y gcc make ${autotools}zlib-devel lz4-devel nettle-devel xxhash-devel"
    elif command -v pacman >/dev/null; then
        echo "pacman -S --needed --noconfirm gcc make ${autotools}zlib lz4 nettle xxhash"
    elif command -v apk >/dev/null; then
        echo "apk add gcc musl-dev make ${autotools}zlib-dev lz4-dev nettle-dev xxhash-dev"
    elif command -v brew >/dev/null; then
        echo "brew install ${autotools}zlib lz4 nettle xxhash"
    fi
}

tr_give_up()
{
    echo "missing: $*" >&2
    line=$(tr_install_line)
    if [ "$line" ]; then
        case $line in brew*) ;; *) line="sudo $line" ;; esac
        echo "install it by: $line" >&2
    else
        echo "needed: a C compiler, make, autoconf, automake and libtool (only in a checkout), zlib, lz4, nettle, xxhash, jsmn" >&2
    fi
    case " $* " in *" jsmn "*)
        echo "where no package has jsmn.h: put it into a folder, and set TR_CONFIGURE=--with-jsmn=FOLDER" >&2
        ;;
    esac
    exit 2
}

# Make sure that everything is there, or say what to do and exit with status 2.
tracepipe_setup()
{
    missing=$(tr_missing | tr '\n' ' ')
    [ "$missing" ] || return 0
    line=$(tr_install_line)
    [ "$line" ] || tr_give_up "$missing"
    case $line in
    brew*) ;; # never as root
    *)
        if [ "$(id -u)" -eq 0 ]; then
            sudo=
        elif command -v sudo >/dev/null && [ -t 0 ]; then
            printf 'missing: %s\nrun "sudo %s"? [y/N] ' "$missing" "$line" >&2
            read -r answer
            case $answer in y | Y | yes) sudo=sudo ;; *) tr_give_up "$missing" ;; esac
        else
            tr_give_up "$missing"
        fi
        case $line in apt-get*)
            $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 || tr_give_up "$missing"
            line="env DEBIAN_FRONTEND=noninteractive $line"
            ;;
        esac
        # shellcheck disable=SC2086 # words of a command
        $sudo $line >&2 || tr_give_up "$missing"
        ;;
    esac
    missing=$(tr_missing | tr '\n' ' ')
    [ -z "$missing" ] || tr_give_up "$missing"
}

# Pass on the lines of a build; on a terminal, show how far it has come.
tr_watch()
{
    count=0
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in *' CC '* | *' CCLD '*)
            count=$((count + 1))
            [ -t 2 ] && printf '\rbuilding: %d files' $count >&2
            ;;
        esac
    done
    [ -t 2 ] && [ $count -gt 0 ] && printf '\r\033[K' >&2
    return 0
}

# Configure and make in the present folder; options of an earlier time count only if they are the same.
tr_make()
{
    options="$* ${TR_CONFIGURE:-}"
    if [ ! -f Makefile ] || [ "$options" != "$(cat options.txt 2>/dev/null)" ]; then
        # shellcheck disable=SC2086 # several options
        ../configure "$@" ${TR_CONFIGURE:-} && echo "$options" >options.txt
    fi && make -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
}

# tracepipe_build FOLDER [CONFIGURE OPTION]...: build in FOLDER below the source; what make prints goes to
# FOLDER/build.log and is shown if it fails.
tracepipe_build()
{
    folder=$1
    shift
    log=$(pwd)/$folder/build.log
    if ! { mkdir -p "$folder" && true >"$log"; } 2>/dev/null; then
        echo "cannot write in $(pwd)/$folder: run this as the owner, or in a copy of your own" >&2
        return 4
    fi
    [ -f "$folder/Makefile" ] || echo "building in $folder, which takes a minute or two" >&2
    rm -f "$folder/failed"
    # a configure that is out of date is made again by make
    {
        { [ -x configure ] || autoreconf -fi; } && (cd "$folder" && tr_make "$@") || : >"$folder/failed"
    } 2>&1 </dev/null | tr_watch >"$log"
    if [ -e "$folder/failed" ]; then
        tail -n 60 "$log" >&2
        echo "the build failed; all of it: $log" >&2
        return 4
    fi
}
