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
        public static let cancelledByPerson = Self("cancelled by the person")
        /// The task that waited was cancelled.
        public static let cancelledByProgram = Self("cancelled by the program")
        /// Nobody finished in time.
        public static let timedOut = Self("timed out")
        /// The page could not be shown; the explanation says why.
        public static let cannotShow = Self("cannot show the page")
        /// The browser ended before anybody was done, without the person closing it: it crashed, or was killed.
        public static let browserVanished = Self("the browser vanished")
        /// The system refused to show the page or to hand over the callback: the association with a host is missing, or a permission. Or
        /// the callback that it handed over is not the expected one, and it waits for no other.
        public static let refused = Self("refused")
        /// A callback of the wanted kind cannot be received here; the explanation says why.
        public static let cannotReceive = Self("cannot receive a callback")
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
    func afterIgnoring(_ callbacks: IgnoredCallbacks) -> Self {
        var error = self
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
