#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A page in the place of the viewer's: it reads the trace that its address names, and says how much that is.

usage: open_viewer.py CERTIFICATE PORT_FILE
"""
import http.server
import ssl
import sys

PAGE = b"""<!DOCTYPE html><meta charset="utf-8"><title>viewer</title><p id="said">waits</p><script>
const said = document.getElementById("said"), url = location.hash.split("url=")[1];
fetch(url).then(r => r.arrayBuffer()).then(b => said.textContent = "read " + b.byteLength)
    .catch(e => said.textContent = "refused");
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
server.socket = context.wrap_socket(server.socket, server_side=True)
with open(sys.argv[2], "w") as f:
    f.write(str(server.server_address[1]))
server.serve_forever()
