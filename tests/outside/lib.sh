# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests with programs of others share beside the harness; read by `.' from a script in this folder.
. "$(dirname "$0")/../harness/tap.sh"

# get PACKAGE...: by apt-get, once no other test uses it
get()
{
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::http::Timeout=60 -o Acquire::Retries=1 \
        install -y -q "$@"
}

# outside PROGRAM [PACKAGE]: is this program there?  Root on Debian gets it from its package [the same name].  If it is
# not to be had, $why says why.
outside()
{
    why="no $1"
    command -v "$1" >/dev/null && return 0
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
    why="no package ${2:-$1} to be had"
    {
        # lists of packages may be old, or not there at all
        get "${2:-$1}" || { apt-get update -q && get "${2:-$1}"; }
    } >"$tmp/apt.log" 2>&1
    command -v "$1" >/dev/null
}
