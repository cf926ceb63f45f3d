# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Programs that run on every form of their input (forms.c); read by `.'.
#
# From outside: TR_FORMS, the wrapper [harness/forms in $built, the folder where tests are built]; for the mode "turn",
# TR_FORMS_TURN.

# make_forms MODE BIN FOLDER: makes FOLDER/bin, with the wrapper in place of every program of BIN that reads events,
# and tells the wrapper by its environment.  tr-parse and tr-merge stay what they are, and so does tr-report,
# whose page names its inputs; so do all if there is no wrapper.
make_forms()
{
    TR_FORMS_MODE=$1
    TR_FORMS_BIN=$2
    TR_FORMS_CACHE=$3/streams
    export TR_FORMS_MODE TR_FORMS_BIN TR_FORMS_CACHE
    wrapper=${TR_FORMS:-$built/harness/forms}
    mkdir -p "$3/bin" "$3/streams" || return 1
    for program in "$2"/tr-*; do
        case ${program##*/} in
        *.*) continue ;;
        tr-parse | tr-merge | tr-report) target=$program ;;
        *) if [ -x "$wrapper" ]; then target=$wrapper; else target=$program; fi ;;
        esac
        ln -sf "$target" "$3/bin/${program##*/}" || return 1
    done
}

# one_form NAME BIN: for scripts of their own, a folder that goes with the script, as does $made if it is set, and in $bin
# programs that read each input as it is or as a stream.
one_form()
{
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/tr-$1.XXXXXX") || exit 99
    trap 'rm -rf "$tmp" ${made:+"$made"}' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    make_forms one "$(cd "$2" && pwd)" "$tmp/forms" || exit 99
    bin=$tmp/forms/bin
}
