"""States in which the tool fails and suggests a command, as a table. The suggestion is run in the same state."""
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time

import hint_commands
from hint_commands import commands_in
from outside import AUTHHUB, LIBRARY, PATIENCE, DevelopmentServer, Home, Report, expect, free_ports

LOOPBACK = "--allow-insecure-loopback"
# What a hint says about the options of the command that failed.
LESS = {"leave out", "without"}
# The beginning of a preparation that is not a command of the tool. $AUTHHUB is the tool.
SHELL = "$ "
VALUE = r"'[^']*'|\"[^\"]*\"|[A-Z]{2,}\b|[\w-]+='?[@$]\S+|[a-z]+://\S+|loopback|none|[\w./@-]*[/.@0-9][\w./:@-]*|(?<=--as )\w+|(?<=-d )\w+|(?<=--client-id )\S+"
ADVICE = rf"(?P<joined>\b(?:and|also) )?\b(?P<verb>add|use|leave out|without) (?:the \w+, or )?(?P<option>(?:--[a-z-]+|-[A-Za-z]\b)(?: (?:{VALUE}))?)"


@dataclasses.dataclass
class State:
    """A failure. In all words, {issuer}, {client} and the like are replaced by what the state's server says."""

    description: str
    command: str
    # Commands before it, which succeed: of the tool, or of the shell.
    before: list = dataclasses.field(default_factory=list)
    persona: str = "oidc"
    # Values for the words in capital letters, and for other parts of the suggestion that need them.
    values: dict = dataclasses.field(default_factory=dict)
    # The exit statuses that a suggestion may have. It may fail with another error, if that is what it is about.
    statuses: tuple = (0,)
    faults: tuple = ()
    files: dict = dataclasses.field(default_factory=dict)
    environment: dict = dataclasses.field(default_factory=dict)
    # Whether the server no longer has the faults when the suggestion is run.
    is_passing: bool = False


class Servers:
    """The servers that states share, by persona and faults."""

    def __init__(self):
        self.homes, self.running, self.lock = contextlib.ExitStack(), {}, threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.homes.close()

    def __getitem__(self, key):
        with self.lock:
            if key not in self.running:
                persona, faults = key
                home = self.homes.enter_context(Home())
                words = [word for fault in faults for word in ("--fault", fault)]
                self.running[key] = self.homes.enter_context(DevelopmentServer(home, persona, *words))
            return self.running[key]


class Place:
    """The state: a home folder, and a server."""

    def __init__(self, commands, state, servers):
        self.commands, self.state, self.home = commands, state, Home()
        self.home.environment.update({
            "AUTHHUB_STORE": os.path.join(self.home.path, "store"), "HOME": self.home.path, **state.environment})
        self.servers, self.own = servers, contextlib.ExitStack()
        self.server = self.own.enter_context(self.started(*state.faults)) if state.is_passing else servers[state.persona, state.faults]
        for name, text in state.files.items():
            self.home.write(name, text)
        user, other = self.server["users"][:2] if len(self.server["users"]) > 1 else 2 * self.server["users"]
        clients = [client for client in self.server["clients"].values() if client.get("client_secret")]
        self.home.write("other-password", other["password"])
        self.home.write("secret", clients[0]["client_secret"] if clients else "secret")
        self.home.environment.setdefault("AUTHHUB_HEADLESS_PASSWORD", user["password"])
        # The browser that a suggestion leaves to the user.
        self.home.environment.update(self.home.user(login=user["username"], password=user["password"]))
        self.page = [LOOPBACK, "--headless", "--user", user["username"]]
        self.known = {
            "issuer": self.server["issuer"], "port": self.server["issuer"].rsplit(":", 1)[1].split("/")[0], "home": self.home.path, "user": user["username"], "simulated_user": str(LIBRARY / "simulated_user.py"),
            "other": other["username"], "confidential": clients[0]["client_id"] if clients else "",
            "free": str(free_ports(1)[0]), "first": next(iter(self.server["clients"].values()))["client_id"],
            "page": shlex.join(self.page), "login": f"login {self.server['issuer']} --client-id native-app {shlex.join(self.page)}",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.own.close()
        self.home.__exit__()

    def started(self, *faults, port=0):
        words = [word for fault in faults for word in ("--fault", fault)]
        return DevelopmentServer(self.home, self.state.persona, *words, port=port)

    def pass_fault(self):
        """Replaces the server by one without faults, at the same port, once the other states no longer use it."""
        self.own.close()
        for attempt in range(10):
            try:
                return self.own.enter_context(self.started(port=self.known["port"]))
            except RuntimeError:
                if attempt == 9:
                    raise
                time.sleep(0.5)

    def filled(self, text):
        """Replaces the words in braces; {at:PERSONA} is the issuer of a server that other states also use."""
        text = re.sub(r"\{at:([\w-]+)\}", lambda match: self.servers[match[1], ()]["issuer"], text)
        return re.sub(r"\{(\w+)\}", lambda match: self.known[match[1]], text)

    def run(self, words):
        return self.home.run(*words, timeout=2 * PATIENCE)

    def prepare(self, command):
        if not command.startswith(SHELL):
            return self.run(shlex.split(command))
        return subprocess.run(
            ["sh", "-c", command.removeprefix(SHELL)], env={**self.home.environment, "AUTHHUB": AUTHHUB}, cwd=self.home.path,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * PATIENCE)

    def failure(self, words):
        """Runs a command, and returns its exit status and its error; the error is empty if there is none."""
        has_output = any("output" in self.spelled(argument) for argument in self.commands.find(words)[0].get("arguments", []))
        writes = has_output and not {"--", "-o", "--format"} & set(words)
        ended = self.run([*words, "-o", "json"] if writes else words)
        if ended.returncode == 0:
            return 0, {}, ended.stderr
        lines = [line for line in ended.stderr.splitlines() if line.startswith("{")]
        if lines:
            return ended.returncode, json.loads(lines[-1]), ended.stderr
        text = re.search(r"^authhub: (.*)\n  next: (.*)$", ended.stderr, re.M)
        return ended.returncode, {"code": "", "message": text[1], "hint": text[2]} if text else {}, ended.stderr

    @staticmethod
    def spelled(argument):
        return [name["name"] for name in argument.get("names", [])]

    def suggestions(self, hint, typed):
        """Returns the commands that a hint names, and the typed one with the options that it names."""
        hint = self.valued(hint)
        found, rest = [], hint
        for text in commands_in(hint):
            found.append(self.commands.read(hint_commands.words(text)))
            rest = rest.replace(f"authhub {text}", "")
        for match in re.finditer(ADVICE, rest):
            option = shlex.split(match["option"].rstrip(";,:)"))
            kept = self.without(found.pop() if match["joined"] and found else typed, option[0])
            found.append(kept if match["verb"] in LESS else [*kept, *option])
        for old, new in re.findall(r"replace (-[\w-]+) with (-[\w-]+)", rest):
            found.append([new if word == old else word for word in typed])
        return found

    def without(self, typed, option):
        command, _ = self.commands.find(typed)
        known, rest, skip = self.commands.option(command, option), [], False
        for word in typed:
            if skip:
                skip = False
            elif word.split("=")[0] == option:
                skip = known is not None and known["kind"] == "option" and "=" not in word
            else:
                rest.append(word)
        return rest

    def valued(self, text):
        for name, value in self.state.values.items():
            filled = self.filled(value)
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", lambda _: filled if " " in filled else f"'{filled}'", text)
        return text

    def completed(self, words):
        """Adds to a login what the suggestion leaves to the user: the page, which only opens at the server of this state."""
        if words[:1] != ["login"] or {"--headless", "--browser", "device", "client-credentials"} & set(words):
            return words
        if not any(self.known["issuer"] in word for word in words[1:]) and words[1:2] and not words[1].startswith("-"):
            return [*words, "--browser", "none", "--timeout", "1"]
        return [*words, *(word for word in self.page if word != LOOPBACK or LOOPBACK not in words)]

    def leads_on(self, seen):
        for command in self.state.before:
            ended = self.prepare(self.filled(command))
            expect(ended.returncode == 0, f"before: {command}: {ended.stderr[-300:]}")
        typed = shlex.split(self.filled(self.state.command))
        status, error, text = self.failure(typed)
        expect(status != 0 and error, f"the command did not fail: {status} {text[-300:]}")
        seen.append(error["hint"])
        if self.state.is_passing:
            self.pass_fault()
        shown = f"{error['message']}: {error['hint']}"
        suggestions = [self.completed(words) for words in self.suggestions(error["hint"], typed)]
        expect(suggestions, f"no command in the hint of: {shown}")
        for words in suggestions:
            after, again, text = self.failure(words)
            expect((again.get("code"), again.get("message")) != (error["code"], error["message"]),
                   f"the same failure again: {shown} → {shlex.join(words)}")
            expect(after in self.state.statuses, f"{shown} → {shlex.join(words)}: {after} {text[-300:]}")
        # Advice to read the help is enough for wrong usage, but does not change any other state.
        if all(words[:1] == ["help"] for words in suggestions) and status != USAGE or AGAIN in error["hint"]:
            expect(self.failure(typed)[1].get("message") != error["message"], f"the suggestions do not help: {shown}")


# The end of a suggestion that removes the cause.
AGAIN = ", then run the same command again"
USAGE = 64
LOGIN = "{login}"
SIGNED_OUT = [LOGIN, "$ $AUTHHUB logout || true"]
WRITE_NOTE = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_note","arguments":{}}}'
SOMEWHERE = {"PROVIDER": "{issuer}", "ID": "native-app"}
STATES = [
    # No account
    *(
        State(f"“{command}” without an account", command, values=SOMEWHERE)
        for command in ("status", "token", "whoami", "refresh", "introspect", "exec -- env", "accounts use nobody", "accounts remove nobody", "token --as nobody", "repos")
    ),
    State("a word that is no command", "statsu", statuses=(0, 4)),
    State("a word that is no subcommand", "store lst"),
    State("a label as an argument", "status work", [LOGIN + " --as work"]),
    # Sign-in
    State("an unknown provider", "login gitub", statuses=(0, 1)),
    State("an issuer without a client", "login {issuer} {page}", values={"ID": "native-app"}, statuses=(0, 1)),
    State("an issuer at http", "login {issuer} --client-id native-app"),
    State("a denied sign-in", LOGIN + " --deny"),
    State("a sign-in that took too long", "login {issuer} --client-id native-app --allow-insecure-loopback --browser none --timeout 1",
          values={"--browser none": ""}),
    State("a port that is taken", LOGIN + " --port {port}", statuses=(0, 1)),
    State("a scope that is refused", LOGIN + " --scope nothing", values={"SCOPES": "openid"}),
    State("--web and --tenant", "login github --web https://example.com --tenant common --client-id a", statuses=(0,)),
    State("--tenant for a provider without tenants", "login github --tenant common --client-id a", statuses=(0, 5)),
    State("a flow without its assertion", "login {issuer} --flow jwt-bearer --client-id native-app " + LOOPBACK,
          values={"FILE": "{home}/assertion"}, files={"assertion": "a.b.c"}, statuses=(0, 1, 64)),
    State("a variable that is no label", "status", environment={"AUTHHUB_ACCOUNT": "a b"}, statuses=(0,)),
    State("a folder that is bound to a removed account", "status",
          [LOGIN, LOGIN + " --as work", "accounts bind work --folder .", "accounts remove work"], values={"NAME": "default"}),
    State("another provider for the label", "login gitlab --client-id native-app --web {issuer} {page}", [LOGIN], values={"NAME": "other", "PORT": "0"},
          statuses=(0, 1, 7)),
    State("another user for the label", LOGIN + " --user {other} --password-file {home}/other-password", [LOGIN], values={"NAME": "other"}),
    State("a headless sign-in without a user", "login {issuer} --client-id native-app --headless " + LOOPBACK, values={"NAME": "{user}"}),
    State("a headless sign-in with an unknown client", "login {issuer} --client-id unknown {page}", values={"ID": "native-app"}),
    State("a headless sign-in with a wrong password", LOGIN + " --password-file {home}/other-password", values={"CMD": "{simulated_user}"}),
    State("a headless sign-in at a server on another machine", "login github --client-id a --port 0 --headless --user a", statuses=(1, 5)),
    State("another client for the label", "login {issuer} --client-id web-app --client-secret-file {home}/secret {page}", [LOGIN],
          values={"NAME": "other"}, statuses=(0, 1)),
    State("a headless sign-in without a password", LOGIN, environment={"AUTHHUB_HEADLESS_PASSWORD": ""},
          values={"FILE": "{home}/other-password"}, statuses=(0, 1)),
    State("a base URL that is none", LOGIN + " --base-url nothing", values={"https://…": "{issuer}"}),
    State("a settings file with options that it has", "login --settings {home}/settings.json {issuer}",
          files={"settings.json": '{"provider": "https://example.com", "client_id": "a"}'}, statuses=(0, 1, 6, 64)),
    State("--web for a provider with tenants", "login microsoft --web https://example.com --client-id a", values={"NAME": "common"},
          statuses=(0, 1, 5, 6)),
    State("a challenge without the URL", "login --challenge Bearer " + LOOPBACK, values={"https://HOST/PATH": "{issuer}/mcp"}, persona="mcp"),
    State("a page that cannot be opened", "login {issuer} --client-id native-app --allow-insecure-loopback --timeout 2 --browser /nonexistent",
          values={"CMD": "{simulated_user}"}, statuses=(0, 5)),
    State("a device flow at a server without one", LOGIN + " --flow device", persona="mcp", values={"URL": "{issuer}"}, statuses=(0, 1)),
    # Tokens
    State("an ID token that was not requested", "token --id", ["login {issuer} --client-id native-app --scope email {page}"], statuses=(0,)),
    State("a user without the scope openid", "whoami", ["login {issuer} --client-id native-app --scope email {page}"], statuses=(0,)),
    State("introspection as a public client", "introspect", [LOGIN], values={"ID": "{confidential}", "FILE": "{home}/secret"}),
    # Accounts
    State("a label that is not the only account's", "status --as other", [LOGIN + " --as work"], values=SOMEWHERE),
    State("a label that is no account's", "token --as other", [LOGIN + " --as work", LOGIN + " --as home"],
          values={**SOMEWHERE, "NAME": "work"}),
    State("a label that is not the default account", "token --as other", [LOGIN], values=SOMEWHERE),
    State("a signed-out account", "token", [LOGIN, "logout"], values=SOMEWHERE),
    State("a label with a space", "login {issuer} --as \"my work\"", statuses=(0, 64), values=SOMEWHERE),
    State("a label that is taken", "accounts rename default work", [LOGIN, LOGIN + " --as work"], values={"NAME": "other"}, statuses=(0,)),
    State("another label for the only account", "accounts rename nobody work", [LOGIN], statuses=(0,)),
    State("a revoked token", "introspect --client-id {confidential} --client-secret-file {home}/secret", [LOGIN, "revoke"], statuses=(0, 1, 4)),
    State("an account that is taken by another API", "login {issuer}/mcp --as default {page}", [LOGIN], persona="mcp", values={"NAME": "other"},
          statuses=(0, 1)),
    # Requests
    State("a path without a base URL", "request /userinfo", [LOGIN], values={"URL": "{issuer}"}),
    State("an http URL", "request http://api.example.com/user", [LOGIN], statuses=(0, 1, 4, 6)),
    State("a body that is not JSON", "request POST {issuer}/userinfo --json nothing " + LOOPBACK, [LOGIN],
          values={"FILE": "{home}/body"}, files={"body": "[]"}, statuses=(0, 1)),
    State("a multipart form with its own Content-Type", "request POST {issuer}/userinfo -F a=b -H 'Content-Type: a/b' " + LOOPBACK, [LOGIN],
          statuses=(0, 1)),
    State("a field that occurs twice", "request POST {issuer}/userinfo -f a=b -f a=c " + LOOPBACK, [LOGIN], statuses=(0, 1, 64)),
    State("a cursor without --paginate", "request {issuer}/userinfo --cursor a " + LOOPBACK, [LOGIN], statuses=(0, 1, 64)),
    State("an audience that the server does not know", "token --audience nothing", [LOGIN]),
    State("a PUT with --paginate", "request PUT {issuer}/userinfo --paginate -d x " + LOOPBACK, [LOGIN], statuses=(0, 1)),
    State("a protected resource without an account", "request {issuer}/mcp --json [] " + LOOPBACK, persona="mcp", values=SOMEWHERE,
          statuses=(0, 1)),
    State("an API without an account", "request {issuer}/userinfo " + LOOPBACK, values=SOMEWHERE, statuses=(0, 1)),
    State("a field for the token", "request {issuer}/userinfo -H 'Authorization: Bearer a' " + LOOPBACK, [LOGIN], values={"NAME": "default"}),
    State("a request without a URL", "request GET", [LOGIN], values={"https://HOST/PATH": "{issuer}/userinfo --allow-insecure-loopback"}),
    State("another origin at http", "request {issuer}/userinfo --send-token-to http://example.com " + LOOPBACK, [LOGIN]),
    State("a cursor with PUT", "request PUT {issuer}/userinfo --cursor a=b -d x " + LOOPBACK, [LOGIN], statuses=(0, 1)),
    State("no jq", "request {issuer}/userinfo --jq . " + LOOPBACK, [LOGIN], environment={"PATH": "/nonexistent"}),
    State("a proxy with a password", "discover {issuer} --proxy http://user:secret@127.0.0.1:9 " + LOOPBACK),
    State("a proxy that is none", "discover {issuer} --proxy nothing " + LOOPBACK, statuses=(0, 1)),
    State("a header field on the command line", "mcp proxy {issuer}/mcp --header Authorization=a " + LOOPBACK, persona="mcp",
          values={"FILE": "{home}/field"}, files={"field": "Bearer a"}, environment={"VARIABLE": "Bearer a"}, statuses=(0, 64)),
    State("a header field of a variable that is not set", "mcp proxy {issuer}/mcp --header Authorization=$NOTHING " + LOOPBACK, persona="mcp",
          values={"FILE": "{home}/field"}, files={"field": "Bearer a"}),
    State("a header field that the messages determine", "mcp proxy {issuer}/mcp --header Accept=@{home}/field " + LOOPBACK, persona="mcp",
          files={"field": "a"}),
    *(
        State(f"login at {description}", "login {issuer}/mcp {page}", persona="mcp", faults=(fault,),
              values={"ID": "native-app", "URL": "{issuer}/user", "FILE": "{home}/field"}, files={"field": "Bearer a"},
              statuses=statuses)
        for description, fault, statuses in (
            ("a server that does not say that it supports PKCE", "MC05-no-list", (0,)),
            ("a resource and a server without metadata", "MC23-nothing", (0, 1)),
            ("a resource whose metadata is that of another", "MC03-neighbor", (0, 1, 6, 7)),
            ("a resource that its server does not know", "MC04-stranger", (0,)),
            ("a resource whose server has its page on another host", "MC15-other-host", (0, 1)),
            ("a resource that names a URL in a private network", "MC02-private", (1, 5, 6)),
            ("a server that registers no clients", "MC06-closed", (0,)),
        )
    ),
    State("an MCP server at http", "mcp proxy http://mcp.example.com/mcp", persona="mcp",
          values={"https://HOST/PATH": "{issuer}/mcp --allow-insecure-loopback"}),
    State("several accounts with tokens for a server", "request {issuer}/userinfo " + LOOPBACK, [LOGIN + " --as work", LOGIN + " --as home"],
          values={"NAME": "work"}),
    State("a resource that requires more scope", "request {issuer}/mcp --json '" + WRITE_NOTE + "'", ["login {issuer}/mcp {page}"], persona="mcp"),
    State("a URL at which nothing is", "login {issuer}/nothing {page}", persona="gitlab",
          values={"ID": "native-app", "URL": "{issuer}/authorize"}, statuses=(0, 1)),
    State("a client with a secret at an issuer that only a resource names",
          "login {issuer}/mcp --flow client-credentials --client-id web-app --client-secret-file {home}/secret " + LOOPBACK, persona="mcp"),
    State("several accounts for a resource", "login {issuer}/mcp {page}", ["login {issuer}/mcp {page} --as a", "login {issuer}/mcp {page} --as b"],
          persona="mcp", values={"NAME": "a"}),
    State("a client document for an issuer", "login {issuer} --client-id-document https://example.com/c {page}", values={"URL": "native-app"},
          statuses=(0, 1)),
    State("a refresh token that is not accepted", "login {issuer} --client-id native-app --with-refresh-token {home}/token " + LOOPBACK,
          files={"token": "abc"}),
    # Smaller errors
    State("a settings file with an unknown member", "login --settings {home}/settings.json", files={"settings.json": '{"nonsense": 1}'}),
    State("repositories of an account elsewhere", "repos", [LOGIN], values={"ID": "a", "FILE": "{home}/secret", "NAME": "hub"}, statuses=(1, 5)),
    State("the user of an account without one", "whoami",
          ["login {issuer} --flow client-credentials --client-id {confidential} --client-secret-file {home}/secret " + LOOPBACK]),
    State("a document at http to check", "client document http://example.com/c --check-published",
          values={"https://HOST/PATH": "https://127.0.0.1:1/c"}, statuses=(1, 6, 64)),
    State("an issuer with a query", "discover {issuer}?a=b " + LOOPBACK, values={"https://HOST/PATH": "{issuer} " + LOOPBACK}),
    State("an invalid method", "request F@O {issuer}/userinfo " + LOOPBACK, [LOGIN], values={"URL": "{issuer}/userinfo " + LOOPBACK}),
    State("a built-in provider with capital letters", "provider show GitHub"),
    State("a browser with --headless", LOGIN + " --browser /bin/true", statuses=(0, 5)),
    State("a base URL for a resource", "login {issuer}/mcp --base-url https://example.com {page}", persona="mcp"),
    State("a scheme for a resource", "login {issuer}/mcp --callback com.example.a:/cb {page}", persona="mcp"),
    State("a token without a signature", "jwt inspect {home}/token", files={"token": "eyJhbGciOiJub25lIn0.e30."},
          values={"URL": "{issuer} --allow-insecure-loopback {home}/token"}, statuses=(1, 7)),
    State("an identity assertion without its provider", "login {issuer} --flow id-jag --client-id native-app --id-token-file {home}/token " + LOOPBACK,
          files={"token": "a.b.c"}, values={"https://HOST": "{issuer}"}, statuses=(1, 7, 64)),
    State("a port with a scheme", LOGIN + " --callback com.example.a:/cb --port 0", statuses=(0, 1)),
    State("a token that must last for years", "token --min-ttl 99999999", [LOGIN], statuses=(0,)),
    State("a pasted URL without standard input", "login {issuer} --client-id native-app --flow paste " + LOOPBACK, values={"CMD": "{simulated_user}"},
          statuses=(0, 1, 2, 5)),
    State("an association file that is wrong", "association check {home}/file", files={"file": "{}"}, values={"TEAM.BUNDLE": "ABCDE12345.com.example.app"}),
    State("a rule about an account that was removed", "accounts prune",
          [LOGIN + " --as work", "accounts bind work --host example.com", "accounts remove work"]),
    # Registration and clients
    *(
        State(f"“{command}” without a client", command, values={"ID": "native-app"}, statuses=(0, 1), persona="mcp")
        for command in ("client show {issuer} " + LOOPBACK, "client delete {issuer} " + LOOPBACK, "client remove {issuer} " + LOOPBACK)
    ),
    State("a second registration", "client register {issuer} " + LOOPBACK, ["client register {issuer} " + LOOPBACK], persona="mcp"),
    State("a server without registration", "client register {issuer} " + LOOPBACK, persona="github", values={"ID": "native-app"}, statuses=(0, 1)),
    State("a stored client without an ID", "client add {issuer} " + LOOPBACK, values={"ID": "native-app"}),
    State("a registration where a client is stored", "client register {issuer} " + LOOPBACK,
          ["client add {issuer} --client-id native-app " + LOOPBACK], persona="mcp"),
    State("the registration of a client that was added", "client show {issuer} " + LOOPBACK,
          ["client add {issuer} --client-id native-app " + LOOPBACK], persona="mcp", statuses=(0, 1)),
    State("a client document at http", "client document http://example.com/client.json", values={"https://HOST/PATH": "https://example.com/c"},
          statuses=(0, 1, 6)),
    State("a registration of a client that cannot be used", "client register github", values={"ID": "native-app"}, statuses=(0, 1, 5)),
    State("a secret of a client without one", "client show {issuer} --secret-file {home}/new " + LOOPBACK, ["client register {issuer} " + LOOPBACK], persona="mcp"),
    State("a client that is added where one is registered", "client add {issuer} --client-id native-app " + LOOPBACK,
          ["client register {issuer} " + LOOPBACK], persona="mcp"),
    State("a registration with a redirect URI that is not allowed", "client register {issuer} --redirect-uri http://example.com/cb " + LOOPBACK,
          persona="mcp", values={"URI": "http://127.0.0.1/callback"}, statuses=(0, 1)),
    State("a registration URL at another server", "client delete {issuer} " + LOOPBACK, ["client register {issuer} " + LOOPBACK],
          faults=("RG04-elsewhere",)),
    # Stores
    State("an import over existing records", "store import {home}/archive --passphrase-file {home}/words",
          [LOGIN, "store export {home}/archive --passphrase-file {home}/words", "refresh"], files={"words": "correct horse battery staple"}),
    State("a passphrase that no one enters", "store export {home}/archive", [LOGIN], values={"FILE": "{home}/words"},
          files={"words": "correct horse battery staple"}),
    State("a new key for a store without one", "store rekey --store plain"),
    State("a store that this tool does not know", "status --store nowhere", statuses=(0, 4, 64)),
    State("a key for records in a database", "store rekey --store postgresql", statuses=(0,)),
    # Documents
    State("discovery of a name", "discover example", values={"https://HOST": "{issuer} " + LOOPBACK}, statuses=(0,)),
    State("discovery at http", "discover {issuer}"),
    State("keys at http", "jwks {issuer}/keys", statuses=(0, 1)),
    State("a provider that does not exist", "provider show githbu"),
    State("a provider file that is not one", "provider add {home}/file.json", files={"file.json": "[]"}),
    State("a resource that is none", "discover --resource example", values={"https://HOST/PATH": "{issuer}/mcp --allow-insecure-loopback"},
          persona="mcp"),
    State("keys at a name", "jwks example", values={"https://HOST/PATH": "{issuer} --allow-insecure-loopback"}),
    State("a token of a name", "jwt inspect --issuer example {home}/token", files={"token": "eyJhbGciOiJSUzI1NiJ9.e30.YQ"},
          values={"https://HOST": "{issuer} --allow-insecure-loopback {home}/token"}, statuses=(0, 1, 7)),
    State("a token with keys at a name", "jwt inspect --jwks example {home}/token", files={"token": "eyJhbGciOiJSUzI1NiJ9.e30.YQ"},
          values={"https://HOST/PATH": "{issuer}/jwks --allow-insecure-loopback {home}/token"}, statuses=(0, 1, 7)),
    State("the removal of a built-in provider", "provider remove github"),
    State("a provider with a name that is built in", "provider add {home}/github.json", files={"github.json": "{}"}, statuses=(0,)),
    State("git with a host that is none", "setup git --host http://git.example.org", statuses=(0, 1, 4)),
    State("git without an account", "setup git", values={"ID": "native-app"}, statuses=(0, 1, 4, 5)),
    # Servers and programs
    State("an unknown persona", "serve --persona githbu", statuses=(0, 64)),
    State("an unknown fault", "serve --fault nothing"),
    State("doctor at a name", "doctor example", values={"https://HOST": "{issuer}"}, statuses=(0, 1, 64)),
    State("a scheme without a handler", LOGIN + " --callback com.example.hints:/callback", statuses=(0, 1)),
    # Damaged and other files
    State("a provider file with a built-in name", "provider add {home}/github.json",
          ["$ $AUTHHUB provider show github -o json > github.json"], values={"NAME": "mine"}),
    State("a damaged provider file", "provider list",
          ["$ $AUTHHUB provider show github -o json > mine.json && $AUTHHUB provider add mine.json --name mine && echo '{' > store/providers/mine.json"]),
    State("a provider file that a built-in provider hides", "provider show GitHub",
          ["$ $AUTHHUB provider show github -o json > mine.json && $AUTHHUB provider add mine.json --name mine && mv store/providers/mine.json store/providers/GitHub.json"]),
    State("an export of a store with a damaged record", "store export {home}/archive --passphrase-file {home}/words",
          [LOGIN, "$ for record in store/credentials/*.credential; do echo damaged > $record; done"],
          files={"words": "correct horse battery staple"}, statuses=(0, 9)),
    State("an account with damaged records", "token", [LOGIN, "$ for record in store/credentials/*.credential; do echo damaged > $record; done"],
          values={"PROVIDER": "{issuer} --allow-insecure-loopback --headless --user {user}", "ID": "native-app"}, statuses=(0, 9)),
    State("records without their key", "token", [LOGIN, "$ rm store/credentials.key"]),
    State("two stores with other contents", "store migrate file plain", [LOGIN + " --store file", LOGIN + " --store plain"],
          environment={"AUTHHUB_STORE": ""}),
    # What servers do not offer, or no longer know
    State("an association file at another scheme", "association check ftp://127.0.0.1/file", values={"HOST": "127.0.0.1:1"}, statuses=(1, 6)),
    State("a registration that the server deleted", "client show {issuer} " + LOOPBACK,
          ["client register {issuer} " + LOOPBACK, "store export {home}/archive --passphrase-file {home}/words",
           "client delete {issuer} " + LOOPBACK, "store import {home}/archive --passphrase-file {home}/words"],
          files={"words": "correct horse battery staple"}, persona="mcp"),
    State("a callback that no sign-in waits for", "callback com.example.app:/cb?state=a", values=SOMEWHERE, statuses=(0, 1, 64)),
    State("a token that is not active", "introspect --client-id {confidential} --client-secret-file {home}/secret", [LOGIN],
          faults=("IN01-inactive",)),
    State("--send-token-to for a resource", "request {issuer}/mcp --send-token-to https://api.example.com --json []", ["login {issuer}/mcp {page}"],
          persona="mcp", values={"URL": "{issuer} --client-id native-app"}, statuses=(0, 1)),
    State("a resource with an account at its server", "request {issuer}/mcp --json [] " + LOOPBACK, [LOGIN], persona="mcp", values=SOMEWHERE,
          statuses=(0, 1)),
    State("a server that offers no revocation", "revoke", ["login spotify --web {issuer} --client-id {first} --port {free} {page}"], persona="spotify"),
    State("an ID token at a provider that issues none", "token --id", ["login spotify --web {issuer} --client-id {first} --port {free} {page}"],
          persona="spotify", statuses=(0, 1)),
    State("a user in the provider's own format", "whoami", ["login spotify --web {issuer} --client-id {first} --port {free} {page}"],
          persona="spotify"),
    State("a provider without an endpoint for the user", "whoami",
          ["login {issuer} --client-id native-app --authorization-endpoint {issuer}/authorize --token-endpoint {issuer}/token {page}"],
          values={"URL": "{issuer}/userinfo " + LOOPBACK}, statuses=(0, 1)),
    State("claims at a provider without them", "whoami --claims",
          ["login github-app --web {issuer} --client-id {first} --client-secret-file {home}/secret {page}"], persona="github-app"),
    State("keys at a URL without them", "jwks {issuer}/authorize " + LOOPBACK, values={"ISSUER": "{issuer} " + LOOPBACK}, statuses=(0, 1)),
    State("a token that is not a JSON Web Token", "jwt inspect {home}/token " + LOOPBACK, [LOGIN], files={"token": "opaque"}, statuses=(0, 1)),
    State("a label that is taken, for a signed-out account", "accounts rename default work", [LOGIN, LOGIN + " --as work", "logout"], statuses=(0, 1)),
    State("a git configuration that cannot be written", "setup git --write --host {issuer}", [LOGIN],
          environment={"GIT_CONFIG_GLOBAL": "/dev/null"}, statuses=(0, 1, 4)),
    # Faults that pass, and several servers
    State("a label of a signed-out account with tokens that are not revoked", "accounts rename default other", SIGNED_OUT,
          faults=("RV02-busy",), is_passing=True),
    State("another server for a signed-out account with tokens that are not revoked",
          "login {at:oidc} --client-id native-app {page}", SIGNED_OUT, faults=("RV02-busy",), is_passing=True,
          values={"NAME": "other"}, statuses=(0, 1, 3)),
    State("a registration with a redirect URI that the server rejects", "client register {issuer} " + LOOPBACK, faults=("RG05-redirect",),
          is_passing=True, values={"URI": "http://127.0.0.1/callback"}),
    State("a registration that needs an initial access token", "client register {issuer} " + LOOPBACK, faults=("RG05-token",),
          is_passing=True, values={"FILE": "{home}/token"}, files={"token": "abc"}),
    State("an API that names its own server, asked by an account elsewhere", "request {at:mcp}/mcp --json [] --as default", [LOGIN], statuses=(0, 1, 5)),
    State("a rule about a removed account", "request {issuer}/userinfo " + LOOPBACK,
          [LOGIN, LOGIN + " --as work", "accounts bind work --host {issuer}", "accounts remove work"], values={"NAME": "default"}),
    State("an invalid scheme", "handler register 1a"),
    State("a resource with metadata of another one", "login {issuer}/mcp {page}", persona="mcp", faults=("MC03-other",),
          values={"URL": "{issuer} --client-id native-app"}, statuses=(0, 1)),
    State("an undescribed server that registers no clients", "login {issuer}/mcp --without-resource-metadata {page}", persona="mcp",
          faults=("MC23-nothing", "MC06-closed"), values={"ID": "native-app"}, statuses=(0, 1)),
    State("a method that an MCP server does not accept", "request {issuer}/mcp", ["login {issuer}/mcp {page}"], persona="mcp",
          values={"TEXT": "[]"}, statuses=(0, 1)),
    State("a new key for files of another store", "store rekey passphrase --store plain"),
    State("a new key for records in a database of many machines", "store rekey own-key-file --store postgresql:postgresql://127.0.0.1:1/a"),
    State("a store that this machine does not have", "status --store secret-service", environment={"DBUS_SESSION_BUS_ADDRESS": ""},
          values={"STORE": "file"}, statuses=(0, 4)),
    State("a token that a netrc file cannot contain", "token --format netrc",
          ["login github-app --web {issuer} --client-id {first} --with-token {home}/token " + LOOPBACK], persona="github-app",
          files={"token": 'a"b'}),
    State("a netrc file for an API that is not known", "token --format netrc",
          ["login {issuer} --client-id native-app --authorization-endpoint {issuer}/authorize --token-endpoint {issuer}/token {page}"]),
    State("a copy of a store with a damaged record", "store migrate file plain", [LOGIN, "$ for record in store/credentials/*.credential; do echo damaged > $record; done"],
          statuses=(0, 9)),
]


def prove():
    report, names, seen = Report(), sys.argv[1:], []
    commands = hint_commands.Commands()

    def written():
        found, count = hint_commands.problems(commands)
        expect(not found, "; ".join(found))
        expect(count > 150, f"only {count} suggestions were found: the sources are written otherwise than this proof reads them")

    report.check("hints: every command that the sources suggest exists, with its options", written)

    def check(state):
        def action():
            with Place(commands, state, servers) as place:
                place.leads_on(seen)
        report.check(f"hints: {state.description}", action)

    with Servers() as servers, concurrent.futures.ThreadPoolExecutor(6) as pool:
        for state in STATES:
            if not names or any(name in state.description for name in names):
                pool.submit(check, state)
    if os.environ.get("VERBOSE"):
        for where, text in hint_commands.hints():
            if not any(re.fullmatch(hint_commands.pattern(text), hint) for hint in seen):
                print(f"without a state: {where}: {text}", file=sys.stderr)
    report.end()
