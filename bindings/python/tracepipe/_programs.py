# SPDX-License-Identifier: MIT
"""What only programs make: the page of tr-report, and what tr-info says.  They are run beside the library."""

import errno
import html
import os
import shutil
import subprocess
import sysconfig
import tempfile

from . import _lib
from ._errors import AbsentError, DamagedError, Error, Remark, TraceOSError, UsageError, usage
from ._reading import warn

_OF_STATUS = {2: UsageError, 3: DamagedError, 4: TraceOSError}
_READING = {"memory": "-M", "threads": "-j", "temp_dir": "-T", "format": "--input-format"}
_FLAGS = {"strict": "--strict", "renumber": "--renumber"}


class Page(str):
    """A page of tr-report, which a notebook shows."""

    def save(self, path):
        with open(path, "wb") as to:
            to.write(self.encode("utf-8", "surrogateescape"))

    def _repr_html_(self):
        if not self.startswith("<!DOCTYPE"):
            return "<pre>%s</pre>" % html.escape(self)
        return '<iframe style="width: 100%%; height: 40em; border: 0" srcdoc="%s"></iframe>' % html.escape(self, True)


def _find(name):
    """Programs of a wheel are where pip puts scripts; others are in PATH."""
    own = os.path.dirname(os.path.abspath(__file__))
    folders = [os.environ.get("PATH", os.defpath)]
    if _lib.place.startswith(own):
        folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user")] + folders
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raised = TraceOSError("%s is not there: this needs the programs of tracepipe, in PATH" % name)
        raised.input, raised.errno = name, errno.ENOENT
        raise raised
    return found


def _words(trace):
    """Options for reading and selecting as those of the trace."""
    given = trace._inputs.options
    if given.get("no_args"):
        raise usage("no_args: programs read args")
    words = [w for name, option in _READING.items() if given.get(name) for w in (option, str(given[name]))]
    words += [option for name, option in _FLAGS.items() if given.get(name)]
    for key, value in trace._chosen:
        if key == "drop-last-step":
            words += ["--drop-last-step"] if value == "1" else []
        else:
            words += ["--" + key, value]
    return words


def _operands(trace, folder):
    """Names of the inputs; those that are in memory, or can be read only once, are written to the folder."""
    inputs = trace._inputs
    if inputs.are_files():
        return list(inputs.paths)
    if inputs.memory_inputs is None:
        trace._whole().write(os.path.join(folder, "trace.trs"))
        return ["trace.trs"]
    names = [n.replace("/", "_").lstrip("-.") or "memory" for n in inputs.memory_inputs]
    if len(set(names)) < len(names):
        raise usage("two inputs have the name %r" % max(names, key=names.count))
    for name, data in zip(names, inputs.memory_inputs.values()):
        with open(os.path.join(folder, name), "wb") as to:
            to.write(data)
    return names


def _call(command, folder):
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            out, err = process.communicate()
        except BaseException:  # Ctrl-C, after which Popen does not wait long
            process.terminate()
            process.wait()
            raise
    return process.returncode, out, err.decode("utf-8", "surrogateescape").splitlines()


def run(trace, name, *words):
    """The output of a program about a trace.  What it says becomes warnings; a failure, an exception."""
    program = _find(name)
    with tempfile.TemporaryDirectory(dir=trace._inputs.options.get("temp_dir")) as folder:
        operands = _operands(trace, folder)
        end = ["--"] * ("--base" in words or any(o.startswith("-") for o in operands))
        status, out, said = _call([program, *_words(trace), *words, *end, *operands],
                                  None if trace._inputs.are_files() else folder)
    said = [line[len(name) + 2:] if line.startswith(name + ": ") else line for line in said]
    if status not in (0, 5):
        last = said.pop() if said else "%s ended with status %d" % (name, status)
        absent = status == 3 and ": option --" in last  # what was selected is not there
        raised = (AbsentError if absent else _OF_STATUS.get(status, Error))(last)
        raised.what = last
        raise raised
    warn([Remark(line) for line in said])
    return out


def page_words(trace, given):
    """Options of tr-report from the arguments of Trace.page.  Names of files are for the folder that it runs in."""
    def text(one):
        return os.path.abspath(one) if not trace._inputs.are_files() and os.path.exists(str(one)) else str(one)

    for name, value in given.items():
        if value is None or value is False:
            continue
        option = "--" + name.replace("_", "-")
        if value is True:
            yield option
        elif name == "sections":
            yield from (option, value if isinstance(value, str) else ",".join(value))
        else:
            for one in [value] if isinstance(value, (str, int, os.PathLike)) else value:
                yield from (option, text(one))
