# SPDX-License-Identifier: MIT
"""The copy of the tree: what is compiled from what, two builds of it, and a place for each job."""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

FOLDERS = ("libcore", "tools", "tests", "contrib", "man")
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion"]
GCOV = ["-O0", "--coverage", "-fprofile-update=atomic"]
PLAIN = ["-O1"]
# A test of C ends its children with _exit, which would lose what they executed.
DUMP = """#include <sys/syscall.h>
#include <unistd.h>
void __gcov_dump(void);
_Noreturn void _exit(int status)
{
    __gcov_dump();
    for (;;)
        syscall(SYS_exit_group, status);
}
"""


class BuildError(Exception):
    pass


def makefile(path):
    """The variables of a Makefile.am, without those that need fuzzers or faults."""
    with open(path) as f:
        text = f.read().replace("\\\n", " ")
    values, skipped = {}, []
    for line in text.split("\n"):
        if line.startswith("if "):
            skipped.append(True)
        elif line.startswith("else"):
            skipped[-1] = not skipped[-1]
        elif line.startswith("endif"):
            skipped.pop()
        elif not any(skipped):
            m = re.match(r"(\w+)\s*(\+?)=(.*)", line)
            if m:
                value = re.sub(r"\s#.*", "", m.group(3))
                values[m.group(1)] = (values.get(m.group(1), "") if m.group(2) else "") + " " + value
    return values


def words(values, name):
    """The words of a variable, with others put in."""
    text = re.sub(r"\$\((\w+)\)", lambda m: " ".join(words(values, m.group(1))), values.get(name, ""))
    return text.split()


def sources_of(values, program):
    name = re.sub(r"\W", "_", program) + "_SOURCES"
    own = words(values, name) + words(values, "nodist_" + name) or [program + ".c"]
    return [s for s in own if s.endswith(".c")]


def digest(*texts):
    h = hashlib.sha256()
    for text in texts:
        h.update(text if isinstance(text, bytes) else text.encode())
        h.update(b"\0")
    return h.hexdigest()


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Tree:
    """work: folder for the copy and the builds; top, build: the source and its configured build."""

    def __init__(self, work, top, build):
        self.work, self.top, self.build = (os.path.abspath(p) for p in (work, top, build))
        self.src = os.path.join(self.work, "src")
        self.cc = shlex.split(os.environ.get("CC", "cc"))
        self.cppflags = shlex.split(os.environ.get("CPPFLAGS", ""))
        self.libs = shlex.split(os.environ.get("LIBS", "-lz"))
        self.archive = os.environ.get("ARCHIVE_LIBS", "")

    def copy(self):
        """Bring the copy up to date."""
        for folder in FOLDERS:
            to = os.path.join(self.src, folder)
            shutil.rmtree(to, ignore_errors=True)
            shutil.copytree(os.path.join(self.top, folder), to, symlinks=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        for name in os.listdir(self.top):
            if os.path.isfile(os.path.join(self.top, name)):
                shutil.copy2(os.path.join(self.top, name), self.src)
        for made in self.generated():
            shutil.copy2(os.path.join(self.build, made), os.path.join(self.src, made))
        with open(os.path.join(self.build, "config.h")) as f:
            config = re.sub("#define (TR_HAVE_CLONES|HAVE_MICROHTTPD) 1", "", f.read())
        with open(os.path.join(self.src, "config.h"), "w") as f:
            f.write(config)
        self.plan()

    def generated(self):
        """Sources that the build makes: their names, as in the Makefiles."""
        found = []
        for folder in ("libcore", "tools"):
            values = makefile(os.path.join(self.src, folder, "Makefile.am"))
            for name in sorted(values):
                if name.startswith("nodist_") and name.endswith("_SOURCES"):
                    found += [folder + "/" + s for s in words(values, name)]
        return found

    def plan(self):
        """What is built: library, frame of the programs, programs with their sources (paths in the copy)."""
        lib = makefile(self.src + "/libcore/Makefile.am")
        tools = makefile(self.src + "/tools/Makefile.am")
        self.tests = makefile(self.src + "/tests/Makefile.am")
        self.library = ["libcore/" + s for s in words(lib, "libtrcore_la_SOURCES") +
                        words(lib, "nodist_libtrcore_la_SOURCES") if s.endswith(".c")]
        self.frame = ["tools/" + s for s in words(tools, "libcli_a_SOURCES") if s.endswith(".c")]
        self.programs = {"tools/tracepipe": ["tools/" + s for s in sources_of(tools, "tracepipe")]}
        self.tests["ARCHIVE_LIBS"] = self.archive
        self.own_libs = {}
        for p in words(self.tests, "check_PROGRAMS"):
            own = words(self.tests, re.sub(r"\W", "_", p) + "_LDADD")
            self.own_libs["tests/" + p] = [w for w in own if w.startswith("-l")]
            self.programs["tests/" + p] = ["tests/" + s for s in sources_of(self.tests, p)]
        own = sorted({s for p, own in self.programs.items() if p.startswith("tools/") for s in own})
        generated = self.generated()
        self.mutable = [s for s in self.library + self.frame + own if s not in generated]
        headers = [os.path.join(d, f) for d, _, files in os.walk(self.src) for f in files if f.endswith(".h")]
        self.headers = digest(*(read(h) for h in sorted(headers)), *self.cc, *self.cppflags)
        code = [read(os.path.join(self.src, s)) for s in sorted(self.mutable)]
        self.code = digest(self.headers, *code)

    # ---- compiling ----

    def run(self, command, env=None):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        return done.returncode, done.stdout.decode(errors="replace")

    def compile(self, source, out, flags, beside=(), env=None):
        """
        Source (a path in the copy, or absolute) to an object; what the compiler says if it fails.
        beside: options that find the headers beside the source if it has been moved.
        """
        path = source if os.path.isabs(source) else os.path.join(self.src, source)
        include = ["-I" + os.path.join(self.src, d) for d in ("libcore", "tools", "tests")] + ['-DTR_PKGLIBDIR=""']
        status, said = self.run(self.cc + WARNINGS + flags + ["-fPIC", "-include", os.path.join(self.src, "config.h")] +
                                [*beside] + include + self.cppflags + ["-c", path, "-o", out], env)
        return "" if status == 0 else said or "status %d" % status

    def build_objects(self, folder, flags, jobs):
        """All objects below a folder; one is made anew when its source or any header has changed."""
        def one(source):
            out = os.path.join(folder, source[:-1] + "o")
            key = digest(self.headers, read(os.path.join(self.src, source)), *flags)
            stamp = out + ".key"
            if os.path.exists(stamp) and read(stamp).decode() == key:
                return ""
            os.makedirs(os.path.dirname(out), exist_ok=True)
            said = self.compile(source, out, flags)
            if not said:
                with open(stamp, "w") as f:
                    f.write(key)
            return said

        every = sorted(set(self.library + self.frame + [s for own in self.programs.values() for s in own]))
        with ThreadPoolExecutor(jobs) as pool:
            wrong = [said for said in pool.map(one, every) if said]
        if wrong:
            raise BuildError(wrong[0])
        return digest(*(read(os.path.join(folder, source[:-1] + "o.key")) for source in every))

    def link(self, command):
        status, said = self.run(self.cc + command + self.libs + ["-lm", "-lpthread"])
        if status != 0:
            raise BuildError(said)

    def objects(self, folder, sources, instead=()):
        """Paths of objects; instead: {source: object} of a mutant."""
        instead = dict(instead)
        return [instead.get(s, os.path.join(folder, s[:-1] + "o")) for s in sources]

    def link_library(self, objects, to, name, sources, instead=()):
        self.link(["-shared", "-Wl,-soname," + name, "-o", os.path.join(to, "lib", name)] +
                  self.objects(objects, sources, instead))

    def link_program(self, objects, to, program, instead=()):
        self.link(["-o", os.path.join(to, program)] + self.objects(objects, self.programs[program], instead) +
                  ["-Wl,-rpath,$ORIGIN/../lib:$ORIGIN/../../lib", "-Wl,--as-needed"] +
                  [os.path.join(to, "lib", name) for name in ("libcli.so", "libtrcore.so")] +
                  self.own_libs.get(program, []))

    def name_programs(self, folder):
        """Every program is a link to the one file, if that is built."""
        if "tools/tracepipe" not in self.programs:
            return
        with open(os.path.join(self.src, "tools/tools.list")) as f:
            for name in (line.split("\t")[0] for line in f if line.startswith("tr-")):
                path = os.path.join(folder, "tools", name)
                if not os.path.lexists(path):
                    os.symlink("tracepipe", path)

    def build_plain(self, jobs):
        """The build that mutants are linked into: one library serves all programs."""
        plain = os.path.join(self.work, "plain")
        key, stamp = self.build_objects(plain, PLAIN, jobs), os.path.join(plain, "linked.key")
        if os.path.exists(stamp) and read(stamp).decode() == key:
            return
        os.makedirs(os.path.join(plain, "lib"), exist_ok=True)
        self.link_library(plain, plain, "libtrcore.so", self.library)
        self.link_library(plain, plain, "libcli.so", self.frame)
        for program in self.programs:
            self.link_program(plain, plain, program)
        self.name_programs(plain)
        with open(stamp, "w") as f:
            f.write(key)

    def build_gcov(self, jobs):
        """The build that counts: without shared libraries, each of which would count by itself."""
        folder = os.path.join(self.work, "gcov")
        self.build_objects(folder, GCOV, jobs)
        dump = os.path.join(folder, "dump.c")
        with open(dump, "w") as f:
            f.write(DUMP)
        said = self.compile(dump, dump[:-1] + "o", ["-O1"])
        if said:
            raise BuildError(said)
        for name, sources in (("libtrcore.a", self.library), ("libcli.a", self.frame)):
            archive = os.path.join(folder, name)
            if os.path.exists(archive):
                os.remove(archive)
            status, said = self.run(["ar", "cr", archive] + self.objects(folder, sources))
            if status != 0:
                raise BuildError(said)
        for program, sources in self.programs.items():
            self.link(["--coverage", "-o", os.path.join(folder, program)] + self.objects(folder, sources) +
                      [dump[:-1] + "o", os.path.join(folder, "libcli.a"), os.path.join(folder, "libtrcore.a")] +
                      self.own_libs.get(program, []))
        self.name_programs(folder)
        return folder

    def place(self, name):
        """A folder of a job: the built programs as they are."""
        to, plain = os.path.join(self.work, name), os.path.join(self.work, "plain")
        shutil.rmtree(to, ignore_errors=True)
        os.makedirs(os.path.join(to, "lib"))
        for file in ["lib/libtrcore.so", "lib/libcli.so"] + list(self.programs):
            self.restore(to, plain, file)
        self.name_programs(to)
        return to

    def restore(self, to, plain, file):
        os.makedirs(os.path.dirname(os.path.join(to, file)), exist_ok=True)
        out = os.path.join(to, file)
        if os.path.exists(out):
            os.remove(out)
        os.link(os.path.join(plain, file), out)

    def put(self, place, source, obj):
        """Link the object of a mutant into the programs of a place; returns the files that changed."""
        plain, instead = os.path.join(self.work, "plain"), {source: obj}
        if source in self.library:
            name, sources = "libtrcore.so", self.library
        elif source in self.frame:
            name, sources = "libcli.so", self.frame
        else:
            changed = [p for p, own in self.programs.items() if source in own]
            for program in changed:
                os.remove(os.path.join(place, program))
                self.link_program(plain, place, program, instead)
            return changed
        os.remove(os.path.join(place, "lib", name))
        self.link_library(plain, place, name, sources, instead)
        return ["lib/" + name]
