"""A protected server by FastMCP: mcp_server.py PORT LOG.

According to the response, the first access token expires at once. The server delays each refresh, and drops it if the client disconnects.
LOG gets a line `page` for each sign-in page, and per refresh `begins PORT`, with the client's port, then `ends` or `dropped`.
"""
import asyncio
import sys

import uvicorn
from fastmcp import Context, FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions
from fastmcp.server.auth.providers import in_memory

PORT, LOG = int(sys.argv[1]), open(sys.argv[2], "a", buffering=1)
SECONDS_OF_A_REFRESH = 2


class Provider(in_memory.InMemoryOAuthProvider):
    async def exchange_authorization_code(self, client, authorization_code):
        in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = 1
        tokens = await super().exchange_authorization_code(client, authorization_code)
        # This provider revokes the refresh token as well if it receives an expired access token.
        self.access_tokens[tokens.access_token].expires_at += 3600
        return tokens

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        in_memory.DEFAULT_ACCESS_TOKEN_EXPIRY_SECONDS = 3600
        return await super().exchange_refresh_token(client, refresh_token, scopes)


mcp = FastMCP("notes", auth=Provider(
    base_url=f"http://127.0.0.1:{PORT}", required_scopes=["read"],
    client_registration_options=ClientRegistrationOptions(enabled=True, valid_scopes=["read", "write"])))


@mcp.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@mcp.tool
async def count(steps: int, context: Context) -> str:
    """Reports its progress."""
    for step in range(steps):
        await context.report_progress(step + 1, steps)
    return "counted"


inner = mcp.http_app()


async def application(scope, receive, send):
    if scope["type"] == "http" and scope["path"] == "/authorize":
        LOG.write("page\n")
    if scope["type"] != "http" or scope["path"] != "/token":
        return await inner(scope, receive, send)
    body = await receive()
    while body.get("more_body"):
        more = await receive()
        body = {**more, "body": body["body"] + more["body"]}
    if b"refresh_token" in body["body"]:
        LOG.write(f"begins {scope['client'][1]}\n")
        gone = asyncio.ensure_future(receive())
        done, _ = await asyncio.wait([gone], timeout=SECONDS_OF_A_REFRESH)
        if done:
            LOG.write("dropped\n")
            return None
        gone.cancel()
    messages = [body]

    async def replay():
        return messages.pop() if messages else await receive()

    await inner(scope, replay, send)
    if b"refresh_token" in body["body"]:
        LOG.write("ends\n")


uvicorn.run(application, host="127.0.0.1", port=PORT, log_level="error")
