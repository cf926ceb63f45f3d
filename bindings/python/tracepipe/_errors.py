# SPDX-License-Identifier: MIT
"""Failures as exceptions, doubts as warnings."""

from ._lib import ffi, lib, sized, text


class Error(Exception):
    """A failure.  The message is that of the programs: INPUT: PLACE: WHAT.

    input   the name of the file, or None
    place   where in it, as in the message, or None
    what    what is wrong
    offset  the byte that the place names, or None
    errno   the reason of the system, or None
    """

    input = place = what = offset = errno = None


class UsageError(Error, ValueError):
    """An argument is wrong."""


class DamagedError(Error):
    """An input is malformed, cut short, of an unknown version or in the wrong order."""


class TraceOSError(Error, OSError):
    """The system failed: reading, writing, memory."""


class AbsentError(Error, LookupError):
    """No input has the selected rank, step, annotation or window."""


class DamageWarning(UserWarning):
    """A part of an input was damaged, and was repaired or left out; or a value cannot be true.

    input, place and what are the parts of the message.
    """

    input = place = what = None


class Remark(UserWarning):
    """What an analysis says about its rows."""


_CLASSES = {lib.TR_USAGE: UsageError, lib.TR_DAMAGED: DamagedError, lib.TR_SYSTEM: TraceOSError,
            lib.TR_ABSENT: AbsentError}


def new_error():
    return ffi.gc(lib.tr_error_new(), lib.tr_error_free)


def failure(err):
    """The exception for a struct tr_error."""
    line = ffi.new("char[1400]")
    info = sized("tr_error_info")
    lib.tr_error_fields(err, info)
    raised = _CLASSES.get(info.status, Error)(text(lib.tr_error_text(err, line, 1400)))
    raised.input, raised.place, raised.what = (text(t) or None for t in (info.input, info.place, info.what))
    raised.offset = None if info.offset == -(2**63) else info.offset
    raised.errno = info.sys_errno or None
    return raised


def check(status, err):
    if status != lib.TR_OK:
        raise failure(err)


def usage(message):
    raised = UsageError(message)
    raised.what = message
    return raised
