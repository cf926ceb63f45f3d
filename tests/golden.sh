#!/bin/sh
# SPDX-License-Identifier: MIT
# All golden cases; see harness/golden for running one and for accepting a change.
exec "$(dirname "$0")/harness/golden"
