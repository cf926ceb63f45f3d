#!/bin/sh
# SPDX-License-Identifier: MIT
# Operations and bytes of models of operators are what loops count that compute the same.
. "$(dirname "$0")/../prop/lib.sh"
need tr-roofline
$python "$here/models.py" "$bin" >result
take result models.py
finish
