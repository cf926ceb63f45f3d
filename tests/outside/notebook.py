# SPDX-License-Identifier: MIT
"""Execute a notebook, in its folder, and list what its cells show.

usage: notebook.py NOTEBOOK
"""

import os
import sys
import xml.dom.minidom

import nbclient
import nbformat


def main():
    path = os.path.abspath(sys.argv[1])
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    where = {"metadata": {"path": os.path.dirname(path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).execute()
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                sys.exit("cell %d: %s" % (number, output.evalue))
            data = output.get("data", {})
            if "image/svg+xml" in data:
                svg = xml.dom.minidom.parseString(data["image/svg+xml"]).documentElement
                marks = len(svg.getElementsByTagName("rect")) + len(svg.getElementsByTagName("path"))
                if marks < 5:
                    sys.exit("cell %d: an empty picture" % number)
                print("picture of cell %d: %d marks" % (number, marks))
            elif "text/html" in data:
                print("table of cell %d: %d rows" % (number, data["text/html"].count("<tr")))


main()
