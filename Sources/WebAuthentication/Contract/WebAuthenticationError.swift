import AuthHubPrimitives

/// Why no callback came.
public struct WebAuthenticationError: Error {
    /// What ended the attempt; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The person closed the window or chose to cancel.
        public static let cancelledByUser = Self("cancelled_by_user")
        /// The task that waited was cancelled.
        public static let cancelledByProgram = Self("cancelled_by_program")
        /// Nobody finished in time.
        public static let timedOut = Self("timed_out")
        /// The page could not be shown; the explanation says why.
        public static let cannotShow = Self("cannot_show")
        /// The browser ended before anybody was done, without the person closing it: it crashed, or was killed.
        public static let browserVanished = Self("browser_vanished")
        /// A response that does not belong to the sign-in arrived, such as one with a wrong `state` or with none; it was not used.
        ///
        /// If only the sign-in's own browser can bring a response, this ends the sign-in at once. If others can, such as at a loopback port,
        /// waiting goes on, and this replaces the time-out or cancellation that ends the sign-in later: `underlying` has that error.
        public static let unexpectedCallback = Self("unexpected_callback")
        /// The system refused to show the page or to hand over the callback: the association with a host is missing, or a permission. Or
        /// it handed over another URL than the redirect URI, and it waits for no other.
        public static let refused = Self("refused")
        /// A callback of the wanted kind cannot be received here; the explanation says why.
        public static let cannotReceive = Self("cannot_receive")
    }

    public let code: Code
    /// What was wrong and what to do about it; never part of a URL.
    public let explanation: String?
    /// What arrived during the sign-in but was not accepted, such as a response to another sign-in; nil if nothing did.
    public private(set) var ignored: String?
    public let underlying: (any Error)?

    public init(_ code: Code, _ explanation: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.explanation = explanation
        self.underlying = underlying
    }

    /// - Parameter words: What a system or a browser said, which may be anything: fit for a window afterwards, and 400 characters at most.
    public init(_ code: Code, quoting words: String, underlying: (any Error)? = nil) {
        self.init(code, displayable(words, limit: 400), underlying: underlying)
    }
}

extension WebAuthenticationError {
    /// The sign-in's own browser brought a callback of another sign-in: no one else can have sent it, and waiting would not help.
    public static var unexpectedCallback: Self {
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

extension WebAuthenticationError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension WebAuthenticationError: CustomStringConvertible {
    public var description: String {
        [explanation.map { "\(code.description.codeInWords): \($0)" } ?? message, ignored].compactMap(\.self).joined(separator: "; ")
    }
}
