#!/usr/bin/env python3
"""A user without a browser: follows redirects, fills in login and consent forms, and delivers the callback to the waiting program.

As a command, it replaces the system's browser: simulated_user.py START, with $PROOF_USER naming a JSON file that contains login, password and
decision ("allow" or "cancel"). The password is in a file so that it is not in a process list.
"""
import http.client
import json
import os
import sys
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

from patience import PATIENCE


class Form:
    def __init__(self, attributes):
        self.action = attributes.get("action") or ""
        self.method = (attributes.get("method") or "get").upper()
        self.fields = []
        self.buttons = []


class FormReader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form":
            self.forms.append(Form(attributes))
        elif self.forms and tag in ("input", "button"):
            kind = attributes.get("type", "submit" if tag == "button" else "text")
            pair = [attributes.get("name"), attributes.get("value", ""), kind]
            (self.forms[-1].buttons if kind == "submit" else self.forms[-1].fields).append(pair)


class SimulatedUser:
    """A browser session of one user."""

    def __init__(self, login, password, decision="allow"):
        self.login, self.password, self.decision = login, password, decision
        self.cookies = {}
        self.pages = []

    def request(self, method, url, form=None):
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
        headers = {"Accept": "text/html", "User-Agent": "simulated-user"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, urlencode(form) if form is not None else None, headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        body = answer.read().decode("utf-8", "replace")
        self.pages.append((method, parts.path, answer.status))
        return answer.status, answer.headers.get("Location"), body

    def authorize(self, url):
        """Goes through the pages; returns the first URL outside the server: the callback."""
        home = urlsplit(url).netloc
        method, form = "GET", None
        for _ in range(12):
            if urlsplit(url).netloc != home or urlsplit(url).scheme not in ("http", "https"):
                return url
            status, location, body = self.request(method, url, form)
            if location:
                method, form, url = "GET", None, urljoin(url, location)
                continue
            method, url, form = self.answer(url, status, body)
        raise RuntimeError(f"the pages have no end: {self.pages}")

    def answer(self, url, status, body):
        reader = FormReader()
        reader.feed(body)
        if not reader.forms:
            raise RuntimeError(f"a page without a form, status {status}: {self.pages}")
        form = reader.forms[-1]
        filled = []
        for name, value, kind in form.fields:
            if kind == "password":
                value = self.password
            elif kind in ("text", "email") and not value:
                value = self.login
            if name:
                filled.append((name, value))
        named = [button for button in form.buttons if button[0]]
        wanted = [button for button in named if button[1] == self.decision]
        if wanted:
            filled.append((wanted[0][0], wanted[0][1]))
        elif named and not any(kind == "password" for _, _, kind in form.fields):
            raise RuntimeError(f"no button says {self.decision}: {named}")
        return form.method, urljoin(url, form.action), filled


def page_behind(start):
    """Returns the sign-in page to which the URL for a browser redirects, once."""
    parts = urlsplit(start)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    connection.request("GET", parts.path, headers={"Accept": "text/html"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 303:
        raise RuntimeError(f"the start address leads nowhere: status {answer.status}")
    return answer.headers["Location"]


def deliver(callback):
    """Acts like the browser on a redirect to the waiting program; returns status and page."""
    parts = urlsplit(callback)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    connection.request("GET", f"{parts.path}?{parts.query}", headers={"Accept": "text/html"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode("utf-8", "replace")


def main():
    with open(os.environ["PROOF_USER"]) as file:
        told = json.load(file)
    user = SimulatedUser(told["login"], told["password"], told.get("decision", "allow"))
    status, page = deliver(user.authorize(page_behind(sys.argv[1])))
    if "page" in told:
        with open(told["page"], "w") as file:
            file.write(f"{status}\n{page}")


if __name__ == "__main__":
    main()
