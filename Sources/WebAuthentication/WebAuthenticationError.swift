import AuthHubPrimitives

/// An error that says why no callback was received.
public struct WebAuthenticationError: Error {
    /// The reason why the attempt ended; an open set.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The user closed the window or chose to cancel.
        public static let cancelledByPerson = Self("cancelled by the person")
        /// The waiting task was cancelled.
        public static let cancelledByProgram = Self("cancelled by the program")
        /// The sign-in was not finished in time.
        public static let timedOut = Self("timed out")
        /// The page could not be shown; the explanation says why.
        public static let cannotShow = Self("cannot show the page")
        /// The browser ended before the sign-in was finished, although the user did not close it: it crashed, or was killed.
        public static let browserVanished = Self("the browser vanished")
        /// A response that does not belong to the sign-in arrived, such as one with a wrong `state` or with none; it was not used.
        ///
        /// If only the sign-in's own browser can deliver a response, this ends the sign-in immediately. If others can, such as at a
        /// loopback port, waiting continues, and this replaces the timeout or cancellation that ends the sign-in later: `underlying` has
        /// that error.
        public static let unexpectedCallback = Self("unexpected callback")
        /// The system refused to show the page or to deliver the callback, because the association with a host, or a permission, is
        /// missing. Or it delivered a URL other than the redirect URI, and waits for no other.
        public static let refused = Self("refused")
        /// A callback of the wanted kind cannot be received here; the explanation says why.
        public static let cannotReceive = Self("cannot receive a callback")
    }

    public let code: Code
    /// A message that says what is wrong and what to do about it; contains no part of a URL.
    public let explanation: String?
    /// A description of what arrived during the sign-in but was not accepted, such as a response to another sign-in; nil if nothing did.
    public private(set) var ignored: String?
    public let underlying: (any Error)?

    public init(_ code: Code, _ explanation: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.explanation = explanation
        self.underlying = underlying
    }

    /// Creates an error that quotes a message.
    ///
    /// - Parameter words: The message of a system or a browser, which may contain anything; it is made safe to display and cut to 400
    ///   characters.
    public init(_ code: Code, quoting words: String, underlying: (any Error)? = nil) {
        self.init(code, displayable(words, limit: 400), underlying: underlying)
    }
}

extension WebAuthenticationError {
    /// Returns the error for a sign-in during which something was ignored.
    func afterIgnoring(_ callbacks: IgnoredCallbacks) -> Self {
        let isPlainEnd = [.timedOut, .cancelledByPerson, .cancelledByProgram].contains(code)
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
        [explanation.map { "\(code): \($0)" } ?? code.description, ignored].compactMap(\.self).joined(separator: "; ")
    }
}
