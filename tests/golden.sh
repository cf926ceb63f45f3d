#!/bin/sh
# SPDX-License-Identifier: MIT
# All golden cases, or those that TR_CASES names; see harness/golden for running one and for accepting a change.
# shellcheck disable=SC2086 # several
exec "$(dirname "$0")/harness/golden" ${TR_CASES-}
