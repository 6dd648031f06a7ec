package import AuthHub
import AuthHubPrimitives

/// The reason why a message was not answered, and what to do.
package struct ProxyFailure: Error, Sendable {
    package let code: String
    package let message: String
    package let hint: String
    /// How a sign-in failed whose page may have been shown; nil for all other failures.
    package var page: AccessPolicy.PageFailure?
    /// The error that the program itself reported; nil for the failures of the proxy.
    package var underlying: (any Error)?

    private static let textLimit = 4000

    package init(_ code: String, _ message: String, hint: String) {
        self.code = code
        self.message = displayable(message, limit: Self.textLimit)
        self.hint = displayable(hint, limit: Self.textLimit)
    }

    static func misbehaved(_ message: String, hint: String = "report this to the server's operator") -> Self {
        Self("server_misbehaved", message, hint: hint)
    }

    static func tooLarge(_ limit: Int) -> Self {
        misbehaved("the server sent a message of more than \(limit / 1_048_576) MiB", hint: "request less")
    }

    static func ended(_ message: String) -> Self {
        Self("unreachable", message, hint: "the server may have done what was asked; if not, send the message again")
    }

    static let noNewSession = misbehaved("the server has ended the session, and does not start a new one", hint: "try again later")

    static let oldTransport = Self(
        "not_offered", "this is an HTTP+SSE server of the MCP revision 2024-11-05, which the proxy does not support",
        hint: "ask the server's operator for the URL of its Streamable HTTP transport, which often ends with /mcp instead of /sse")
}
