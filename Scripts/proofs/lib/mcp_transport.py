"""The transport of MCP through the proxy, with and without a handshake: cancellation, requests by the server, interruptions, restarts."""
import asyncio
import contextlib
import json
import os
import subprocess
import time
import warnings

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types import ElicitResult

from mcp_fastmcp import FastMCP
from outside import AUTHHUB, PATIENCE, expect, succeed

# The last revision with a handshake and sessions, and the first without; the mode makes the SDK's client use it.
HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
MODES = {HANDSHAKE: "legacy", MODERN: "auto"}
# As JSON, 2 MB in the argument and up to 5 MB in the result. The SDK's server accepts requests of up to 4 MB.
MEGABYTES = "ä€😀" * 200_000
UNUSUAL = "Grüße, 日本 😀"
# Log messages are deprecated, but servers still send them.
warnings.simplefilter("ignore", MCPDeprecationWarning)


class Server(FastMCP):
    """A restart replaces the process that listens."""

    def __init__(self, home):
        super().__init__(home, "mcp_transport_server.py", os.path.join(home.path, "tokens"), stdin=subprocess.PIPE)
        self.starts = 0
        self.start()

    def start(self, **faults):
        self.starts += 1
        self.process.stdin.write(json.dumps(faults).encode() + b"\n")
        self.process.stdin.flush()

    def restart(self, **faults):
        self.start(**faults)
        self.wait()

    def wait(self):
        end = time.monotonic() + PATIENCE
        while len(self.events("starts")) < self.starts or not self.listens():
            expect(self.process.poll() is None, "FastMCP did not start")
            expect(time.monotonic() < end, "FastMCP does not listen")
            time.sleep(0.02)

    def events(self, event, after=0, **values):
        """Returns the logged events with these values."""
        lines = self.log.read_text().split("\n")[after:-1]
        return [
            found for found in map(json.loads, lines)
            if found["event"] == event and all(found[name] == value for name, value in values.items())]

    def position(self):
        return self.log.read_text().count("\n")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.errors.close()


class Stream:
    """Stands in for one of the SDK's streams."""

    def __init__(self, stream):
        self.stream = stream

    async def aclose(self):
        await self.stream.aclose()

    async def __aenter__(self):
        await self.stream.__aenter__()
        return self

    async def __aexit__(self, *error):
        return await self.stream.__aexit__(*error)


class Reading(Stream):
    """Records what the host reads; the SDK would hide redundant messages."""

    def __init__(self, stream, messages):
        super().__init__(stream)
        self.messages = messages

    async def receive(self):
        item = await self.stream.receive()
        self.messages.append(getattr(item, "message", item))
        return item

    def __aiter__(self):
        return self

    async def __anext__(self):
        item = await self.stream.__anext__()
        self.messages.append(getattr(item, "message", item))
        return item


class Writing(Stream):
    """Counts what the host writes."""

    def __init__(self, stream):
        super().__init__(stream)
        self.count = 0

    async def send(self, item):
        await self.stream.send(item)
        self.count += 1


class Host:
    """A host that starts its own process of the proxy, and counts what arrives."""

    def __init__(self, transport, revision):
        self.server, self.revision, self.messages, self.logs, self.questions = transport.server, revision, [], [], []
        self.begin = self.server.position()
        parameters = StdioServerParameters(
            command=AUTHHUB, args=["mcp", "proxy", self.server.url, *transport.options], env=dict(transport.home.environment))
        self.client = Client(
            self.connected(parameters), mode=MODES[revision], elicitation_callback=self.elicited, logging_callback=self.logged,
            log_level="info", cache=None)

    @contextlib.asynccontextmanager
    async def connected(self, parameters):
        async with stdio_client(parameters, errlog=self.server.errors) as (read, write):
            self.written = Writing(write)
            yield Reading(read, self.messages), self.written

    async def elicited(self, _, question):
        self.questions.append(question.message)
        return ElicitResult(action="accept", content={"value": f"{question.message} – {UNUSUAL}"})

    async def logged(self, message):
        self.logs.append(message.data["msg"])

    async def call(self, tool, progress=None, **arguments):
        result = await self.client.call_tool(tool, arguments, progress_callback=progress)
        expect(not result.is_error, f"{tool}: {result.content}")
        return result.content[0].text

    def received(self, method):
        """The number of notifications and requests from the server."""
        return sum(getattr(message, "method", None) == method for message in self.messages)

    def responses(self):
        """The IDs of all responses in the order of their arrival."""
        return [message.id for message in self.messages if not hasattr(message, "method")]

    def logged_by_server(self, event, **values):
        return self.server.events(event, self.begin, **values)

    async def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            expect(time.monotonic() < end, f"waited in vain: {what}")
            await asyncio.sleep(0.01)

    async def logs_at_server(self, event, **values):
        await self.until(lambda: self.logged_by_server(event, **values), f"{event} {values}")

    async def __aenter__(self):
        await self.client.__aenter__()
        expect(self.client.protocol_version == self.revision, f"negotiated {self.client.protocol_version}")
        return self

    async def __aexit__(self, *error):
        await self.client.__aexit__(*error)
        ids = self.responses()
        expect(len(ids) == len(set(ids)), f"a request got two responses: {ids}")


class Transport:
    """The checks. Each has its own process of the proxy, so that none depends on what another one broke."""

    def __init__(self, report, home, server):
        self.report, self.home, self.server = report, home, server
        self.options = ["--allow-insecure-loopback", "--headless", "--user", "anyone"]
        home.environment["AUTHHUB_HEADLESS_PASSWORD"] = "unused"
        home.environment["AUTHHUB_STORE"] = os.path.join(home.path, "store")

    def check(self, revision, name, story):
        self.report.check(f"FastMCP, {revision}: {name}", lambda: asyncio.run(self.tell(revision, story)))

    async def tell(self, revision, story):
        """Runs a story with a host. An error leaves the host's task groups as itself, not in groups of groups."""
        problem = None
        async with Host(self, revision) as host:
            try:
                await asyncio.wait_for(story(host), PATIENCE)
            except Exception as error:
                problem = error
        if problem:
            raise problem

    def run(self):
        self.server.wait()
        succeed(self.home.run("login", self.server.url, *self.options))
        for revision in MODES:
            self.check(revision, "a cancelled call ends at the server, too", self.cancels)
            self.check(revision, "responses arrive in the order of the server, not of the requests", self.out_of_order)
            self.check(revision, "the server requests input from the user of the host", self.asks)
            self.check(revision, "the server's log messages arrive", self.tells)
            self.check(revision, "arguments and results of several megabytes arrive", self.large)
            self.check(revision, "names, arguments and URIs beyond ASCII arrive", self.unusual)
        self.check(HANDSHAKE, "a stream that the server closes early is resumed, as often as it does that", self.reconnects)
        self.check(HANDSHAKE, "a stream is resumed even if the server rejects the first attempt", self.is_refused)
        self.check(HANDSHAKE, "a response that breaks in the middle of an event arrives, once", self.is_cut)
        self.check(HANDSHAKE, "notifications outside of requests arrive, even those during an interruption", self.listens)
        self.check(HANDSHAKE, "notifications arrive again after the server rejected an attempt to listen", self.listens_after_refusal)
        self.report.check(
            f"FastMCP, {HANDSHAKE}: the session ends with the host, and all requests name it and the revision", self.ends_session)
        self.check(MODERN, "a call whose response breaks fails, once", self.is_lost)
        self.check(MODERN, "a subscription delivers changes", self.subscribes)
        self.report.check(
            f"FastMCP, {MODERN}: calls that the host cancels at once get no response", lambda: asyncio.run(self.cancels_early()))
        self.check(MODERN, "parameters are repeated in header fields, even if the host has not listed the tools", self.repeats_parameters)
        self.check(HANDSHAKE, "a new session starts even if the server rejected the first attempt", self.restarts_after_refusal)
        self.report.check(
            "FastMCP: after a restart of the server, calls fail that were running, subscriptions end, and messages share one new session",
            lambda: asyncio.run(self.restarts()))

    @staticmethod
    async def cancels(host):
        # Otherwise, the SDK lists the tools after the first call.
        await host.client.list_tools()
        call = asyncio.ensure_future(host.call("wait", name=host.revision))
        await host.logs_at_server("waits", name=host.revision)
        before = host.responses()
        call.cancel()
        await host.logs_at_server("cancelled", name=host.revision)
        expect(await host.call("echo", text="next") == "next", "the next call fails")
        if host.revision == MODERN:
            expect(len(host.responses()) == len(before) + 1, "a cancelled call got a response")

    @staticmethod
    async def out_of_order(host):
        order = []

        async def waits(name):
            order.append(await host.call("wait", name=f"{host.revision} {name}"))

        first = asyncio.ensure_future(waits("first"))
        await host.logs_at_server("waits", name=f"{host.revision} first")
        second = asyncio.ensure_future(waits("second"))
        await host.logs_at_server("waits", name=f"{host.revision} second")
        await host.call("release", names=[f"{host.revision} second"])
        await second
        await host.call("release", names=[f"{host.revision} first"])
        await first
        expect(order == [f"{host.revision} second", f"{host.revision} first"], str(order))

    @staticmethod
    async def asks(host):
        answer = await host.call("ask", question="Woran?")
        expect(answer == f"Woran? – {UNUSUAL}", answer)
        expect(host.questions == ["Woran?"], str(host.questions))

    @staticmethod
    async def tells(host):
        if host.revision == HANDSHAKE:
            await host.client.set_logging_level("info")
        await host.call("tell", text=UNUSUAL)
        await host.until(lambda: host.logs, "log messages")
        expect(host.logs == [UNUSUAL], str(host.logs))

    @staticmethod
    async def large(host):
        expect(await host.call("echo", text=MEGABYTES) == MEGABYTES, "the text has changed")

    @staticmethod
    async def unusual(host):
        expect(await host.call("echo", text=UNUSUAL) == UNUSUAL, "the text has changed")
        expect(await host.call("Größe_寸法", text=UNUSUAL) == str(len(UNUSUAL)), "the tool with the unusual name")
        if host.revision == MODERN:
            await host.client.list_tools()
            expect(await host.call("book", city=UNUSUAL) == UNUSUAL, "the parameter in a header field")
        for uri in ["notes://Grüße日本", "notes://a b", "notes://Gr%C3%BC%C3%9Fe"]:
            text = (await host.client.read_resource(uri)).contents[0].text
            expect(text.startswith("about "), f"{uri}: {text}")

    @staticmethod
    async def reconnects(host):
        steps = []

        async def progress(done, total, message):
            steps.append(done)

        times = 8
        expect(await host.call("reconnects", progress, times=times, refusals=0) == "finished", "no result")
        expect(sorted(steps) == list(range(1, times + 1)), f"progress: {steps}")
        expect(host.received("notifications/progress") == times, "progress arrived twice")

    @staticmethod
    async def is_refused(host):
        expect(await host.call("reconnects", times=1, refusals=1) == "finished", "no result")

    @staticmethod
    async def is_cut(host):
        text = UNUSUAL * 2000
        expect(await host.call("echo", text=text, cuts=1) == text, "the text has changed")

    @staticmethod
    async def listens(host):
        await host.logs_at_server("listens", resumes=False)
        for number, disconnects in enumerate([False, True, False], 1):
            await host.call("change", disconnect=disconnects)
            await host.until(lambda: host.received("notifications/tools/list_changed") >= number, f"notification {number}")
            if disconnects:
                await host.logs_at_server("resumed")
        await host.call("ping")
        expect(host.received("ping") == 1, "the server's request")
        expect(host.received("notifications/tools/list_changed") == 3, "a notification arrived twice")

    @staticmethod
    async def listens_after_refusal(host):
        await host.logs_at_server("listens", resumes=False)
        for number, refusals in enumerate([0, 1], 1):
            await host.call("change", disconnect=refusals > 0, refusals=refusals)
            await host.until(lambda: host.received("notifications/tools/list_changed") == number, f"notification {number}")

    def ends_session(self):
        begin = self.server.position()

        async def tell():
            async with Host(self, HANDSHAKE) as host:
                await host.logs_at_server("listens", resumes=False)
                await host.call("echo", text="text")

        asyncio.run(tell())
        requests = self.server.events("request", begin)
        names = [request["http"] for request in requests]
        expect("GET" in names and names[-1] == "DELETE", f"requests: {names}")
        sessions = {request["session"] for request in requests[1:]}
        expect(len(sessions) == 1 and None not in sessions, f"sessions: {sessions}")
        without = [request["http"] for request in requests[1:] if request["revision"] != HANDSHAKE]
        expect(not without, f"requests without the revision: {without}")

    @staticmethod
    async def is_lost(host):
        """In this revision, streams cannot be resumed. With progress, the response is a stream; without, it is JSON."""
        async def progress(done, total, message):
            pass

        for callback in (None, progress):
            before = host.responses()
            try:
                await host.call("echo", callback, text=UNUSUAL * 2000, cuts=1)
            except MCPError:
                expect(len(host.responses()) == len(before) + 1, "the number of responses")
            else:
                raise AssertionError("the call succeeded")
        expect(await host.call("echo", text="next") == "next", "the next call fails")

    @staticmethod
    async def subscribes(host):
        async with host.client.listen(tools_list_changed=True) as subscription:
            await host.call("change")
            await anext(subscription)
            written = host.written.count
        # The SDK writes the cancellation in the background.
        await host.until(lambda: host.written.count > written, "the cancellation is written")
        await host.call("change")
        await host.call("echo", text="later")
        expect(host.received("notifications/tools/list_changed") == 1, "a notification arrived twice, or after the subscription")
        async with host.client.listen(tools_list_changed=True) as subscription:
            await host.call("end_subscriptions")
            expect([event async for event in subscription] == [], "the subscription ended with an event")

    async def cancels_early(self):
        """The host writes each request and its cancellation at once. Calls whose cancellation is lost are released, and get a response."""
        names = [f"early {number}" for number in range(30)]
        async with Host(self, MODERN) as host:
            await host.client.list_tools()
            before = host.responses()
            for name in names:
                written = host.written.count
                call = asyncio.ensure_future(host.call("wait", name=name))
                while host.written.count == written:
                    await asyncio.sleep(0)
                call.cancel()
            await host.call("release", names=names)
        # The proxy has ended, so all of its calls have.
        expect(len(host.responses()) == len(before) + 1, f"{len(host.responses()) - len(before) - 1} calls got a response")

    @staticmethod
    async def repeats_parameters(host):
        """The SDK's client would also list the tools and repeat the call, but not each host does."""
        result = await host.client.session.call_tool("book", {"city": UNUSUAL})
        expect(result.content[0].text == UNUSUAL, "the text has changed")

    async def restarts_after_refusal(self, host):
        self.server.restart(refusals={"initialize": 1})
        with contextlib.suppress(MCPError):
            await host.call("echo", text="too early")
        expect(await host.call("echo", text="again") == "again", "no new session")

    async def restarts(self):
        async with Host(self, HANDSHAKE) as old, Host(self, MODERN) as modern:
            problem = await asyncio.gather(asyncio.wait_for(self.restart(old, modern), PATIENCE), return_exceptions=True)
        for error in filter(None, problem):
            raise error

    async def restart(self, old, modern):
        """While the new process answers `initialize`, more messages arrive that need the new session."""
        async with modern.client.listen(tools_list_changed=True) as changes:
            calls = [asyncio.ensure_future(host.call("wait", name=f"restart {host.revision}")) for host in (old, modern)]
            for host in (old, modern):
                await host.logs_at_server("waits", name=f"restart {host.revision}")
            await old.logs_at_server("listens", resumes=False)
            begin = self.server.position()
            self.server.restart(seconds_of_initialize=0.5)
            results = await asyncio.gather(*calls, return_exceptions=True)
            expect(all(isinstance(result, MCPError) for result in results), f"the calls that were running: {results}")
            try:
                event = await anext(changes)
            except SubscriptionLost:
                event = None
            expect(event is None, f"the subscription goes on with {event}")
        texts = [asyncio.ensure_future(host.call("echo", text="again")) for host in (old, old, modern)]
        await old.until(lambda: self.server.events("request", begin, method="initialize"), "a new session")
        texts += [asyncio.ensure_future(old.call("echo", text="again")) for _ in range(3)]
        results = await asyncio.gather(*texts, return_exceptions=True)
        expect(results == ["again"] * 6, f"calls after the restart: {results}")
        expect(len(self.server.events("request", begin, method="initialize")) == 1, "more than one new session")
        await old.until(lambda: self.server.events("listens", begin), "the stream of notifications")
        await old.call("change")
        await old.until(lambda: old.received("notifications/tools/list_changed") == 1, "a notification")
