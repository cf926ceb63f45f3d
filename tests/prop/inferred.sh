#!/bin/sh
# SPDX-License-Identifier: MIT
# Waits of streams that a trace does not show: jobs are written with and without what their streams waited for.  What
# tr-critpath --gaps infers without is true, and nothing is inferred where two explanations are left.
. "$(dirname "$0")/lib.sh"
need tr-critpath
# shellcheck disable=SC2046 # several words
$python "$here/inferred.py" "$bin" $(seq 1 24) >said
take said inferred.py
finish
