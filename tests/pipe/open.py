#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What does tr-view --open give to whom, and when does it end?

usage: open.py BIN TRACE NOT_A_TRACE

Each server listens on a port of its own, which the address that it prints says.
"""
import os
import re
import signal
import socket
import subprocess
import sys
import time

VIEWER = "https://ui.perfetto.dev"
n_tests = 0


def ok(good, what, *more):
    global n_tests
    n_tests += 1
    print("%sok %d - %s" % ("" if good else "not ", n_tests, what))
    if not good:
        print("".join("# %r\n" % (x,) for x in more), end="")


class Server:
    def __init__(self, *args, **env):
        self.process = subprocess.Popen([BIN + "/tr-view", "--open", *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=dict(os.environ, **env))
        self.line = self.process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)(/([0-9a-f]+)/\S*)$", self.line.strip())
        self.port, self.path, self.token = (int(found[1]), found[2], found[3]) if found else (0, "", "")

    def ends(self, within=20):
        """Its status and what it says on standard error; None: it runs on."""
        try:
            out, err = self.process.communicate(timeout=within)
            return self.process.returncode, err.decode()
        except subprocess.TimeoutExpired:
            return None

    def runs(self):
        time.sleep(0.2)
        return self.process.poll() is None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.ends()

    def ask(self, path=None, method="GET", at="127.0.0.1", **headers):
        """Status, headers and body of an answer; a header of the name None is left out."""
        headers = {"Host": "127.0.0.1:%d" % self.port, "Connection": "close", **headers}
        with socket.create_connection((at, self.port), timeout=20) as s:
            request = ["%s %s HTTP/1.1" % (method, path or self.path)]
            request += ["%s: %s" % (k.replace("_", "-"), v) for k, v in headers.items() if v is not None]
            s.sendall("\r\n".join(request + ["", ""]).encode())
            data = b""
            while True:
                more = s.recv(1 << 16)
                if not more:
                    break
                data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        return int(lines[0].split()[1]), {k.lower(): v for k, v in (x.split(": ", 1) for x in lines[1:])}, body

    def status(self, *args, **more):
        return self.ask(*args, **more)[0]

    def read_a_little(self):
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            s.sendall(("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (self.path, self.port)).encode())
            return len(s.recv(1000))


def traces(trace):
    want = subprocess.run([BIN + "/tr-view", "-q", "-O", "perfetto", trace], stdout=subprocess.PIPE, check=True).stdout
    s = Server("-q", "--port", "0", trace)
    ok(re.fullmatch(VIEWER + r"/#!/\?url=http://127\.0\.0\.1:\d+/[0-9a-f]{32}/trace\.pftrace\n", s.line),
       "the address is one line", s.line)
    status, headers, body = s.ask(Origin=VIEWER)
    ok(status == 200 and body == want, "the trace is what -O perfetto writes", status, len(body), len(want))
    ok(headers.get("access-control-allow-origin") == VIEWER, "the viewer's page may read it", headers)
    ok(headers.get("cache-control") == "no-store" and headers.get("content-length") == str(len(want)),
       "its size is said, and no one keeps it", headers)
    ok(s.ends() == (0, ""), "one complete read ends it")
    again = Server("-q", "--port", "0", trace)
    ok(again.token != s.token, "every run has a token of its own")
    again.ask()
    ok(again.ends() == (0, ""), "a read by no page ends it, too")
    s = Server("--port", "0", trace)
    s.ask()
    status, said = s.ends()
    ok(status == 0 and said.count("\n") == 1 and "port 9001" in said,
       "a warning: the viewer's page reads from one port only", said)
    want = subprocess.run([BIN + "/tr-view", "-q", "-O", "perfetto", "--gpu-stages", trace], stdout=subprocess.PIPE,
                          check=True).stdout
    s = Server("-q", "--port", "0", "--gpu-stages", trace)
    ok(s.ask()[2] == want, "options of -O perfetto count")
    s.ends()
    s = Server("--port", "0", "--budget", "10", trace)
    status, said = s.ends()
    ok(s.line == "" and status == 2 and "--budget" in said, "what cannot be made is not served", status, said)


def refusals(trace):
    s = Server("-q", "--port", "0", trace)
    other = "0" * 32
    for what, want, got in (
            ("no path", 404, s.status("/")), ("another token", 404, s.status(s.path.replace(s.token, other))),
            ("another name", 404, s.status(s.path.replace("pftrace", "json"))),
            ("a longer path", 404, s.status(s.path + "/..")), ("a file", 404, s.status("/etc/passwd")),
            ("the token alone", 404, s.status("/%s/" % s.token)),
            ("another page's script", 403, s.status(Origin="https://ui.perfetto.dev.example.org")),
            ("a page without origin", 403, s.status(Origin="null")),
            ("another host", 403, s.status(Host="ui.perfetto.dev:%d" % s.port)),
            ("a host that starts so", 403, s.status(Host="127.0.0.1.example.org:%d" % s.port)),
            ("POST", 405, s.status(method="POST")), ("PUT", 405, s.status(method="PUT")),
            ("DELETE", 405, s.status(method="DELETE"))):
        ok(got == want, "refused: %s" % what, got)
    got = s.status(Host=None)
    ok(got in (400, 403), "refused: no host", got)
    status, headers, body = s.ask(method="HEAD")
    ok(status == 200 and not body and int(headers["content-length"]) > 0, "HEAD", status, headers, body)
    status, headers, body = s.ask(method="OPTIONS", Origin=VIEWER, Access_Control_Request_Private_Network="true")
    ok(status == 204 and headers.get("access-control-allow-origin") == VIEWER and not body and
       headers.get("access-control-allow-private-network") == "true", "a request before the request", status, headers)
    ok(s.status(method="OPTIONS", Origin="https://example.org") == 403, "the same by another page")
    try:
        s.ask(at="127.0.0.2")
        ok(False, "it listens on one address only")
    except OSError:
        ok(True, "it listens on one address only")
    ok(s.runs(), "none of these ends it")
    ok(s.status(Host="localhost:%d" % s.port) == 200 and s.ends() == (0, ""), "localhost is this machine, too")


def pages():
    page = b"<!DOCTYPE html>\n<p>" + b"x" * (24 << 20)  # more than fits between two programs
    with open("page.html", "wb") as f:
        f.write(page)
    s = Server("--port", "0", "page.html")
    ok(re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/report\.html\n", s.line), "the address of a page", s.line)
    ok(s.read_a_little() > 0 and s.runs(), "a read that stops before its end does not end it")
    ok(s.status(Origin=VIEWER) == 403, "no other page reads it")
    status, headers, body = s.ask()
    ok(status == 200 and body == page and headers["content-type"].startswith("text/html") and
       "access-control-allow-origin" not in headers, "the page is the file", status, headers)
    ok(s.ends() == (0, ""), "one complete read ends it")
    s = Server("--keep", "--port", "0", "page.html")
    ok([s.status() for i in range(3)] == [200] * 3 and s.runs(), "--keep: it stays")
    ok(s.stop() == (-signal.SIGTERM, ""), "a signal ends it")


def failures(trace, broken):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        s = Server("--port", str(port), trace)
        ok(s.line == "" and s.ends() == (4, "tr-view: cannot listen on port %d of 127.0.0.1: Address already in use\n" %
                                         port), "a port in use", s.line, s.ends())
    s = Server("--port", "0", broken)
    status, said = s.ends()
    ok(s.line == "" and status == 3 and said.count("\n") == 1, "no trace", s.line, status, said)
    with open("libmicrohttpd.so.12", "w") as f:
        f.write("not a library\n" * 100)
    s = Server("--port", "0", trace, LD_LIBRARY_PATH=os.getcwd())
    ok(s.line == "" and s.ends() == (2, "tr-view: --open needs libmicrohttpd.so.12, which cannot be loaded\n"),
       "a library that cannot be loaded", s.line, s.ends())


BIN = sys.argv[1]
traces(sys.argv[2])
refusals(sys.argv[2])
pages()
failures(sys.argv[2], sys.argv[3])
print("1..%d" % n_tests)
