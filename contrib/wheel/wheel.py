#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pack a wheel: the programs, the library and the module for Python, pages and completions.  For make wheel.

usage: wheel.py SOURCE STAGE FOLDER VERSION FLAG...

SOURCE   folder of the source
STAGE    folder with bin/tracepipe, bin/launcher, lib/libtrcore.so and share/ as it is installed
FOLDER   where the wheel goes; its name is printed
FLAG     what the linker was given: the terms of use of each archive in it go with the wheel, where dpkg knows them

The wheel runs with every glibc from the version on that is in its name, on x86_64.  Its bytes depend on what is packed
and on SOURCE_DATE_EPOCH, not on the time of day.
"""
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import time
import zipfile

GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}


def die(text):
    sys.exit(f"wheel.py: {text}")


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def oldest_glibc(paths):
    """The newest version of glibc that a symbol asks for, which is the oldest that has all; no other library is needed."""
    versions = []
    for path in paths:
        said = output("objdump", "-p", path) or die(f"objdump cannot read {path}")
        needed = set(re.findall(r"^ *NEEDED +(\S+)", said, re.M))
        if needed - GLIBC:
            die(f"{path} needs {', '.join(sorted(needed - GLIBC))}")
        versions += [(int(a), int(b)) for a, b in re.findall(r"\bGLIBC_(\d+)\.(\d+)", said)]
    return max(versions)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def tree(folder, skip=()):
    """The files below a folder: (name from there, path)."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in skip)
        for name in sorted(files):
            path = os.path.join(top, name)
            yield os.path.relpath(path, folder), path


def shared(name, path):
    """A file of share/.  A wheel has no links, so that of a completion reads the file."""
    if not os.path.islink(path):
        return read(path)
    target = os.readlink(path)
    if name.endswith(".fish"):
        return f"source (status dirname)/{target}\n".encode()
    return f'. "${{BASH_SOURCE[0]%/*}}/{target}"\n'.encode()


def terms(flags):
    """The files with the terms of libraries, by package."""
    packages = set()
    for archive in re.findall(r"/[^\s,]+\.a\b", " ".join(flags)):
        for path in (os.path.realpath(archive), os.path.realpath(archive).replace("/usr/", "/", 1)):
            packages.update(line.split(":")[0] for line in output("dpkg", "-S", path).splitlines())
    for package in sorted(packages):
        path = f"/usr/share/doc/{package}/copyright"
        if os.path.exists(path):
            yield package, read(path)


def metadata(source, version, module):
    needs = "Requires-Dist: cffi\nProvides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n" if module else ""
    return (f"Metadata-Version: 2.1\nName: tracepipe\nVersion: {version}\n"
            "Summary: Answers questions about traces of accelerators, on the command line and in Python\n"
            "License: MIT\nRequires-Python: >=3.9\n"
            "Classifier: License :: OSI Approved :: MIT License\nClassifier: Operating System :: POSIX :: Linux\n"
            f"{needs}Description-Content-Type: text/markdown\n\n").encode() + read(os.path.join(source, "README.md"))


def contents(source, stage, version, flags):
    """What is in the wheel: {name: (bytes, can be run)}."""
    files = {}
    data, info = f"tracepipe-{version}.data", f"tracepipe-{version}.dist-info"
    module = os.path.join(source, "bindings/python/tracepipe")
    for name, path in tree(module, skip=("__pycache__", "lib")):
        files[f"tracepipe/{name}"] = read(path), False
    if files:
        files["tracepipe/lib/libtrcore.so"] = read(f"{stage}/lib/libtrcore.so"), True
    files[f"{data}/scripts/tracepipe"] = read(f"{stage}/bin/tracepipe"), True
    with open(os.path.join(source, "tools/tools.list"), encoding="utf-8") as f:
        for program in re.findall(r"^(tr-[a-z]+)\t", f.read(), re.M):
            files[f"{data}/scripts/{program}"] = read(f"{stage}/bin/launcher"), True
    for name, path in tree(f"{stage}/share"):
        files[f"{data}/data/share/{name}"] = shared(name, path), False
    files[f"{info}/METADATA"] = metadata(source, version, "tracepipe/__init__.py" in files), False
    files[f"{info}/licenses/LICENSE"] = read(os.path.join(source, "LICENSE")), False
    for package, text in terms(flags):
        files[f"{info}/licenses/{package}"] = text, False
    return files


def write(path, files, info):
    """Members in the order of names, those about the wheel last; all of one time."""
    epoch = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800) # a member of a zip is not older than 1980
    names = sorted(files, key=lambda name: (name.startswith(info), name))
    record = "".join("{},sha256={},{}\n".format(
        name, base64.urlsafe_b64encode(hashlib.sha256(files[name][0]).digest()).rstrip(b"=").decode(), len(files[name][0]))
        for name in names) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode(), False
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name in names + [f"{info}/RECORD"]:
            member = zipfile.ZipInfo(name, time.gmtime(epoch)[:6])
            member.external_attr = (0o100755 if files[name][1] else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            z.writestr(member, files[name][0])
    os.replace(path + ".new", path)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    source, stage, folder, version, *flags = sys.argv[1:]
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        die("wheels are made on Linux on x86_64")
    major, minor = oldest_glibc([f"{stage}/bin/tracepipe", f"{stage}/lib/libtrcore.so"])
    tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
    info = f"tracepipe-{version}.dist-info"
    files = contents(source, stage, version, flags)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: tracepipe ({version})\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode(), False
    path = os.path.join(folder, f"tracepipe-{version}-{tag}.whl")
    write(path, files, info)
    print(path)


main()
