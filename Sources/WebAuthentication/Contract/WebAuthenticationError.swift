import AuthHubPrimitives

/// An error that says why no callback was received.
public struct WebAuthenticationError: Error {
    /// The kind of failure. More kinds may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The user closed the window or chose to cancel.
        public static let cancelledByUser = Self("cancelled_by_user")
        /// The task that waited for the callback was cancelled.
        public static let cancelledByProgram = Self("cancelled_by_program")
        /// The user did not finish in time.
        public static let timedOut = Self("timed_out")
        /// The page could not be shown; the explanation says why.
        public static let cannotShow = Self("cannot_show")
        /// The browser exited before the sign-in finished, although the user did not close it: it crashed or was killed.
        public static let browserVanished = Self("browser_vanished")
        /// A response arrived that does not belong to the sign-in, for example because its `state` is wrong or missing. The response was
        /// not used.
        ///
        /// If only the sign-in's own browser can deliver a response, the sign-in ends with this error immediately. If other programs can
        /// deliver responses, as at a loopback port, the sign-in keeps waiting. If it then times out or is cancelled, this error replaces
        /// the timeout or cancellation, which becomes the `underlying` error.
        public static let unexpectedCallback = Self("unexpected_callback")
        /// The system refused to show the page or to deliver the callback, because a permission or the association with a host is missing.
        /// Or the system delivered a URL other than the redirect URI, and does not wait for another one.
        public static let refused = Self("refused")
        /// A callback of the requested kind cannot be received here; the explanation says why.
        public static let cannotReceive = Self("cannot_receive")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do about it. Never contains a URL.
    public let explanation: String?
    /// What arrived during the sign-in but was not accepted, such as a response to another sign-in; nil if nothing did.
    package private(set) var ignored: String?
    /// The underlying error; nil if there is none. For ``Code/unexpectedCallback``, it is the timeout or cancellation that ended the
    /// sign-in.
    public let underlying: (any Error)?

    /// Creates an error. The explanation must not contain a URL.
    public init(_ code: Code, _ explanation: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.explanation = explanation
        self.underlying = underlying
    }

    /// - Parameter words: The message of a system or a browser, which may contain anything; made displayable and cut to 400 characters.
    package init(_ code: Code, quoting words: String, underlying: (any Error)? = nil) {
        self.init(code, displayable(words, limit: 400), underlying: underlying)
    }
}

extension WebAuthenticationError {
    /// The error if the sign-in's own browser delivers a callback of another sign-in. No one else can have sent it, so waiting for
    /// another callback would not help.
    package static var unexpectedCallback: Self {
        Self(.unexpectedCallback, "the page returned a response that does not belong to this sign-in; it was not used")
    }

    /// The error for a sign-in during which something was ignored.
    func afterIgnoring(_ callbacks: IgnoredCallbacks) -> Self {
        let isPlainEnd = [.timedOut, .cancelledByUser, .cancelledByProgram].contains(code)
        var error =
            isPlainEnd && callbacks.foreignResponses > 0
            ? Self(.unexpectedCallback, explanation ?? "the sign-in was cancelled", underlying: self) : self
        error.ignored = callbacks.explanation
        return error
    }
}

extension WebAuthenticationError {
    /// The explanation, or the code in words if there is no explanation.
    package var message: String { explanation ?? code.description.codeInWords }
}

extension WebAuthenticationError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension WebAuthenticationError: CustomStringConvertible {
    public var description: String {
        [explanation.map { "\(code.description.codeInWords): \($0)" } ?? message, ignored].compactMap(\.self).joined(separator: "; ")
    }
}
