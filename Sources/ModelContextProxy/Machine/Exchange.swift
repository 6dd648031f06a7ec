import AuthHub

extension ProxyMachine {
    /// A message to the server and its response, or a stream of the server's messages. It may take several requests.
    struct Exchange: Sendable {
        enum Purpose: Sendable {
            /// A message of the host.
            case host
            /// `initialize`, and the notification after it, for a new session after the server has ended one.
            case newSession, newSessionStarted
            /// `tools/list` for a call whose header fields the server rejected.
            case tools(call: Int, page: Int)
            /// Finds out whether the server has the transport of 2024-11-05, after it has rejected a message.
            case probe(for: Int, refusal: ProxyFailure)
            /// The server's messages that do not belong to a request.
            case notifications
            /// The end of the session.
            case end
        }

        /// What the exchange waits for. One that waits for a certain time, or for an exchange that was started for it, keeps its phase.
        enum Phase: Hashable, Sendable {
            case begun
            /// Waits for an earlier exchange.
            case afterHandshake(Int)
            /// Waits for a new session.
            case beforeSession
            /// Waits for a sign-in.
            case beforeSignIn
            /// The request was sent; there is no response.
            case sent
            /// As `sent`, for a stream that is opened without a message.
            case opening
            case readingBody
            case readingStream
        }

        let purpose: Purpose
        /// nil if the exchange consists of requests without a message.
        let message: RemoteMessage?
        var phase = Phase.begun
        /// The number of requests.
        var attempt = 0
        /// Whether the last request or the body of its response is in progress.
        var isOpen = false
        /// Whether the server may have accepted the message.
        var isSent = false
        /// The number of sign-ins before the last request.
        var generation = 0
        /// What the response to the last request requires.
        var required: (requirement: AccessRequirement, need: SignInNeed)?
        var signIns = 0
        /// The session that the server may no longer know.
        var session: String?
        var hasRestarted = false
        var hasListedTools = false
        var response: ServerResponse?
        var body: [UInt8] = []
        var stream: ResumableStream
        /// Bytes that wait until another exchange no longer holds a large message in memory; nil if none do.
        var held: ArraySlice<UInt8>?
        /// Whether the exchange no longer waits for that.
        var isImpatient = false

        init(_ purpose: Purpose, _ message: RemoteMessage?, sizeLimit: Int) {
            (self.purpose, self.message, stream) = (purpose, message, ResumableStream(sizeLimit: sizeLimit))
        }

        var isOfHost: Bool { if case .host = purpose { true } else { false } }

        var isListening: Bool { if case .notifications = purpose { true } else { false } }

        var isProbe: Bool { if case .probe = purpose { true } else { false } }

        /// The exchange that this one was started for.
        var client: Int? {
            switch purpose {
            case .tools(let call, _): call
            case .probe(let call, _): call
            default: nil
            }
        }

        /// The size of what is held in memory, in bytes.
        var pendingSize: Int { phase == .readingStream ? stream.events.pendingSize : body.count }
    }
}
