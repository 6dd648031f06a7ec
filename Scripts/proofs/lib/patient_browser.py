#!/usr/bin/env python3
"""A browser that waits before it opens its page, so that others have time to read its arguments, and to be faster.

As a command: patient_browser.py FOLDER START. It records in FOLDER/started that it runs, waits at the pipe FOLDER/go, and then acts like a
user with a browser; it opens START a second time, too. FOLDER/again gets the status of that, FOLDER/page the last page.
"""
import http.client
import json
import os
import pathlib
import sys
from urllib.parse import urlsplit

from patience import PATIENCE
from simulated_user import SimulatedUser, deliver, page_behind


def status_of(url):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    connection.request("GET", parts.path)
    return connection.getresponse().status


def note(folder, name, text):
    (folder / f"{name}.new").write_text(text)
    os.replace(folder / f"{name}.new", folder / name)


def main():
    folder, start = pathlib.Path(sys.argv[1]), sys.argv[2]
    told = json.loads((folder / "user.json").read_text())
    note(folder, "started", f"{os.getpid()}\n{start}")
    with open(folder / "go") as pipe:
        pipe.read()
    try:
        page = page_behind(start)
        note(folder, "again", str(status_of(start)))
        status, text = deliver(SimulatedUser(told["login"], told["password"]).authorize(page))
        note(folder, "page", f"{status}\n{text}")
    except Exception as error:  # any error must be reported to the proof
        note(folder, "page", f"{type(error).__name__}: {error}")


main()
