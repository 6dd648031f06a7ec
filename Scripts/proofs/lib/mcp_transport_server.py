"""A protected server by FastMCP whose connections break: mcp_transport_server.py PORT LOG TOKENS.

For each line on standard input, a new process with the faults in it replaces the one that listens, without importing everything again. The
tokens are in the file TOKENS and survive; sessions, subscriptions and stored events do not. LOG gets a line of JSON per event.
"""
import asyncio
import collections
import json
import os
import pathlib
import pickle
import signal
import sys
from typing import Annotated

import uvicorn
from fastmcp import Context, FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider
from fastmcp.server.event_store import EventStore
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult, SubscriptionsListenRequestParams
from pydantic import Field

PORT, LOG, TOKENS = int(sys.argv[1]), open(sys.argv[2], "a", buffering=1), pathlib.Path(sys.argv[3])
# Bodies below this size are not cut.
SMALL = 10_000


def note(event, **more):
    LOG.write(json.dumps({"event": event, **more}) + "\n")


class Provider(InMemoryOAuthProvider):
    """Keeps what a restart must not lose."""

    KEPT = ("clients", "access_tokens", "refresh_tokens", "_access_to_refresh_map", "_refresh_to_access_map")

    def restore(self):
        if TOKENS.exists():
            for name, value in pickle.loads(TOKENS.read_bytes()).items():
                setattr(self, name, value)

    async def exchange_authorization_code(self, client, authorization_code):
        tokens = await super().exchange_authorization_code(client, authorization_code)
        TOKENS.write_bytes(pickle.dumps({name: getattr(self, name) for name in self.KEPT}))
        return tokens


provider = Provider(
    base_url=f"http://127.0.0.1:{PORT}", required_scopes=["read"],
    client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["read"]))
mcp = FastMCP("transport", auth=provider)
# FastMCP does not serve subscriptions; the SDK below it does.
changes = InMemorySubscriptionBus()
subscriptions = ListenHandler(changes)
mcp._mcp_server.add_request_handler("subscriptions/listen", SubscriptionsListenRequestParams, subscriptions)


class Network:
    """Logs the requests and breaks connections as networks do, at the moment that a tool chooses."""

    def __init__(self, application):
        self.application = application
        # The number of responses to cut, and of requests to reject, by their HTTP or JSON-RPC method.
        self.cuts, self.refusals = 0, collections.Counter()
        self.seconds_of_initialize = 0
        self.listeners, self.resumed = set(), asyncio.Event()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["path"] != "/mcp":
            return await self.application(scope, receive, send)
        fields = {name.decode(): value.decode() for name, value in scope["headers"]}
        resumes = "last-event-id" in fields
        receive, method = await self.peek(scope, receive)
        note(
            "request", http=scope["method"], method=method, revision=fields.get("mcp-protocol-version"),
            session=fields.get("mcp-session-id"), resumes=resumes)
        if method == "initialize":
            await asyncio.sleep(self.seconds_of_initialize)
        if self.refusals[method or scope["method"]] > 0:
            self.refusals[method or scope["method"]] -= 1
            await send({"type": "http.response.start", "status": 503, "headers": [(b"content-length", b"0")]})
            return await send({"type": "http.response.body", "body": b""})

        async def forward(message):
            body = message.get("body", b"")
            if self.cuts and len(body) > SMALL:
                self.cuts -= 1
                await send({**message, "body": body[:len(body) // 2], "more_body": True})
                raise ConnectionResetError("cut")
            await send(message)
            if scope["method"] == "GET" and message.get("status") == 200:
                note("listens", resumes=resumes)
            # The last event that the SDK replays has no data. From then on, it sends new messages on this stream.
            if resumes and b"\r\ndata: \r\n" in body:
                note("resumed")
                self.resumed.set()

        work = asyncio.ensure_future(self.application(scope, receive, forward))
        if scope["method"] == "GET":
            self.listeners.add(work)
        try:
            # Without the end of the response, uvicorn closes the connection.
            await asyncio.wait([work])
            if not work.cancelled():
                work.result()
        finally:
            work.cancel()
            self.listeners.discard(work)

    @staticmethod
    async def peek(scope, receive):
        """Returns the JSON-RPC method, and the function that reads the body again."""
        if scope["method"] != "POST":
            return receive, None
        parts, more = [], True
        while more:
            message = await receive()
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        body = b"".join(parts)
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def again():
            return messages.pop() if messages else await receive()

        return again, json.loads(body).get("method")

    async def disconnect(self):
        """Breaks the streams that belong to no request."""
        listeners = list(self.listeners)
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)


network = Network(mcp.http_app(event_store=EventStore(), retry_interval=20))
released = collections.defaultdict(asyncio.Event)


@mcp.tool
async def wait(name: str) -> str:
    """Waits until it is released."""
    note("waits", name=name)
    try:
        await released[name].wait()
    except asyncio.CancelledError:
        note("cancelled", name=name)
        raise
    note("returns", name=name)
    return name


@mcp.tool
async def release(names: list[str]) -> str:
    """Releases calls, even if they arrive later."""
    for name in names:
        released[name].set()
    return "released"


@mcp.tool
async def reconnects(times: int, refusals: int, context: Context) -> str:
    """Closes its stream several times, and goes on when the client is back."""
    for step in range(times):
        network.refusals["GET"] = refusals
        await context.report_progress(step + 1, times)
        network.resumed.clear()
        await context.close_sse_stream()
        await network.resumed.wait()
    return "finished"


@mcp.tool
async def echo(text: str, context: Context, cuts: int = 0):
    """Returns the text. The connection may break in the middle of the response, which is a stream if there is progress."""
    await context.report_progress(1)
    network.cuts = cuts
    return text


@mcp.tool(name="Größe_寸法")
async def size(text: str) -> int:
    """A tool whose name needs an encoding in a header field."""
    return len(text)


@mcp.tool
async def book(city: Annotated[str, Field(json_schema_extra={"x-mcp-header": "City"})]) -> str:
    """A tool with a parameter that is repeated in a header field."""
    return city


@mcp.resource("notes://{name}")
async def read(name: str) -> str:
    """A resource with any name."""
    return f"about {name}"


@mcp.tool
async def ask(question: str, context: Context):
    """Requests input from the user, as each revision does it."""
    if context.request_context.protocol_version < "2026":
        return (await context.elicit(question, str)).data
    if context.input_responses:
        return context.input_responses["answer"].content["value"]
    schema = {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}
    form = ElicitRequestFormParams(message=question, requested_schema=schema)
    return InputRequiredResult(input_requests={"answer": ElicitRequest(params=form)})


@mcp.tool
async def tell(text: str, context: Context) -> str:
    """Sends log messages."""
    await context.debug(f"not {text}")
    await context.warning(text)
    return "told"


@mcp.tool
async def change(context: Context, disconnect: bool = False, refusals: int = 0) -> str:
    """Notifies all clients outside of this request, possibly while they are not connected."""
    network.refusals["GET"] = refusals
    if disconnect:
        await network.disconnect()
    await context.session.send_tool_list_changed()
    await changes.publish(ToolsListChanged())
    return "changed"


@mcp.tool
async def ping(context: Context) -> str:
    """Sends the client a request outside of this request, which the SDK answers."""
    await context.session.send_ping()
    return "answered"


@mcp.tool
async def end_subscriptions() -> str:
    """Ends the subscriptions of all clients in order."""
    subscriptions.close()
    return "ended"


def serve(faults):
    provider.restore()
    network.seconds_of_initialize = faults.get("seconds_of_initialize", 0)
    network.refusals.update(faults.get("refusals", {}))
    note("starts")
    uvicorn.run(network, host="127.0.0.1", port=PORT, log_level="error")


def main():
    process = None
    while True:
        line = sys.stdin.readline()
        if process:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        if not line:
            return
        process = os.fork()
        if not process:
            serve(json.loads(line))
            return


main()
