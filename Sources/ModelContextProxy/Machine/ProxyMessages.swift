import AuthHub
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// A request to the server.
struct ProxyRequest: Sendable {
    /// The exchange that the request belongs to, and the number of its requests so far. Events of earlier requests are ignored.
    struct ID: Hashable, Sendable {
        let exchange: Int
        let attempt: Int
    }

    let id: ID
    let method: HTTPRequest.Method
    var fields: HTTPFields
    let body: [UInt8]
    let timeout: Duration
}

/// The beginning of a response, as far as the rules need it.
struct ServerResponse: Sendable {
    let head: HTTPResponse
    /// What the server requires before it accepts the request; nil if it is not a sign-in.
    let requirement: AccessRequirement?
    let challenges: String
    let signIn: UsedSignIn?

    init(_ response: LoadResponse, signIn: UsedSignIn?) {
        head = response.head
        requirement = response.rejectsToken ? AccessRequirement(response.head) : nil
        challenges = response.challenges
        self.signIn = signIn
    }

    var status: HTTPResponse.Status { head.status }
    var isSuccessful: Bool { status.kind == .successful }
    var isEventStream: Bool { head.headerFields.mediaType == "text/event-stream" }

    /// The session ID in a response to `initialize`; nil if there is none, or it contains characters that cannot be sent.
    var session: String? {
        let text = RemoteHeaders.session.flatMap { head.headerFields[$0] }
        return text.flatMap { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}
