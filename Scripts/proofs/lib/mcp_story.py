"""FastMCP as the protected server, and the mcp SDK as the host: sign-in by the URL alone, requests, and the proxy in 20 processes.

The transport is in `mcp_transport`.
"""
import asyncio
import json
import os
import pathlib
import signal
import subprocess
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

import client_document
import mcp_transport
from mcp_fastmcp import FastMCP
from outside import AUTHHUB, PATIENCE, Home, Report, expect, succeed

BEGINNING = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "proof", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]
SUM = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 2, "b": 3}}}
PROCESSES = 20


class Server(FastMCP):
    def __init__(self, home):
        super().__init__(home, "mcp_server.py")

    def wait(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.listens():
                return
            expect(self.process.poll() is None, "FastMCP did not start")
            time.sleep(0.2)
        raise AssertionError("FastMCP does not listen")

    def refreshes(self):
        return [line for line in self.log.read_text().split("\n")[:-1] if line != "page"]

    def pages(self):
        return self.log.read_text().split("\n").count("page")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.errors.close()


class Story:
    def __init__(self, report, home, server):
        self.report, self.home, self.server = report, home, server
        self.label = server.url.removeprefix("http://")
        self.options = ["--allow-insecure-loopback", "--headless", "--user", "anyone"]
        home.environment["AUTHHUB_HEADLESS_PASSWORD"] = "unused"
        home.environment["AUTHHUB_STORE"] = os.path.join(home.path, "store")

    def signs_in(self):
        result = succeed(self.home.run("login", self.server.url, *self.options))
        expect("Registered the client" in result.stderr, "no client was registered")

    def requests(self):
        result = succeed(self.home.run(
            "request", self.server.url, "-H", "Accept: application/json, text/event-stream", "--json", json.dumps(BEGINNING[0])))
        expect('"serverInfo"' in result.stdout, result.stdout[:300])

    def proxy(self, environment=None):
        return subprocess.Popen(
            [AUTHHUB, "mcp", "proxy", self.server.url, *self.options], env=environment or self.home.environment, cwd=self.home.path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def messages(*more):
        return "".join(json.dumps(message) + "\n" for message in [*BEGINNING, *more]).encode()

    def many_processes(self):
        """The token has expired. The process that refreshes it is killed in the middle; another one does it again, once."""
        self.wait_for_expiry()
        processes = [self.proxy() for _ in range(PROCESSES)]
        for process in processes:
            process.stdin.write(self.messages(SUM))
            process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while not any(line.startswith("begins") for line in self.server.refreshes()):
            expect(time.monotonic() < end, "no process refreshed the token")
            time.sleep(0.05)
        port = int(self.server.refreshes()[0].split()[1])
        victim = self.process_of(port, processes)
        expect(victim is not None, f"no process has the port {port}")
        victim.send_signal(signal.SIGKILL)
        ends = [(process, *process.communicate(timeout=PATIENCE)) for process in processes]
        answered = 0
        for process, output, errors in ends:
            if process is victim:
                continue
            last = json.loads(output.splitlines()[-1]) if output else {}
            expect(last.get("id") == 1 and "result" in last, f"{self.server.refreshes()} {output[-300:]!r} {errors[-300:]!r}")
            answered += 1
        expect(answered == PROCESSES - 1, f"{answered} were answered")
        log = [line.split()[0] for line in self.server.refreshes()]
        expect(log == ["begins", "dropped", "begins", "ends"], f"token requests: {log}")
        succeed(self.home.run("token", "--as", self.label))

    def wait_for_expiry(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status = json.loads(succeed(self.home.run("status", "--as", self.label, "-o", "json")).stdout)
            if status["expires_at"] < time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()):
                return
            time.sleep(0.2)
        raise AssertionError("the token does not expire")

    @staticmethod
    def process_of(port, processes):
        inodes = {
            fields[9] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
            if (fields := line.split())[1].endswith(f":{port:04X}")}
        for process in processes:
            for descriptor in pathlib.Path("/proc", str(process.pid), "fd").iterdir():
                try:
                    target = os.readlink(descriptor)
                except OSError:
                    continue
                if target.removeprefix("socket:[").removesuffix("]") in inodes:
                    return process
        return None

    def sdk(self):
        asyncio.run(self.talks())

    async def talks(self):
        parameters = StdioServerParameters(
            command=AUTHHUB, args=["mcp", "proxy", self.server.url, *self.options], env=dict(self.home.environment))
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            expect(sorted(tool.name for tool in tools.tools) == ["add", "count"], str(tools))
            answer = await session.call_tool("add", {"a": 2, "b": 3})
            expect(answer.content[0].text == "5", str(answer))
            steps = []

            async def progress(done, total, message):
                steps.append((done, total))

            await session.call_tool("count", {"steps": 3}, progress_callback=progress)
            expect(steps == [(1, 3), (2, 3), (3, 3)], f"progress: {steps}")

    def new_user(self):
        """Hosts that start the proxy several times at once without a sign-in."""
        with Home() as home:
            story = Story(self.report, home, self.server)
            pages = self.server.pages()
            processes = [story.proxy() for _ in range(5)]
            for process in processes:
                process.stdin.write(self.messages(SUM))
                process.stdin.flush()
            registered = 0
            for process in processes:
                output, errors = process.communicate(timeout=PATIENCE)
                last = json.loads(output.splitlines()[-1])
                expect("result" in last, f"{output[-300:]!r} {errors[-300:]!r}")
                registered += b"Registered the client" in errors
            expect(registered == 1, f"{registered} clients were registered")
            expect(self.server.pages() == pages + 1, f"{self.server.pages() - pages} pages were shown")


def main():
    report = Report()
    with Home() as home, Server(home) as server:
        story = Story(report, home, server)
        server.wait()
        report.check("FastMCP: a sign-in with nothing but the URL", story.signs_in)
        report.check(
            "FastMCP: 20 processes of the proxy send one token request, even if the one that sends it is killed", story.many_processes)
        report.check("FastMCP: a request finds the account by the URL", story.requests)
        report.check("FastMCP: the mcp SDK lists and calls tools through the proxy, with progress", story.sdk)
        report.check("FastMCP: five processes of the proxy sign a new user in, with one client and one page", story.new_user)
    with Home() as home:
        home.environment["AUTHHUB_STORE"] = os.path.join(home.path, "store")
        report.check("a published metadata document is the client, with each of its keys", lambda: client_document.signs_in(home))
    with Home() as home, mcp_transport.Server(home) as server:
        mcp_transport.Transport(report, home, server).run()
    report.end()


main()
