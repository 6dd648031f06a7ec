import AuthHubPrimitives

/// Why a store could not do what was asked. "There is no record" is not an error; it is nil.
public struct CredentialStoreError: Error {
    /// What went wrong; an open set. Each says who can do something about it.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The store exists and waits for a person to unlock it.
        public static let locked = Self("locked")
        /// The person was asked to unlock or to make the store, and declined.
        public static let dismissed = Self("dismissed")
        /// The store's service did not answer in time. Nothing is known of what was asked of it.
        public static let timedOut = Self("timed_out")
        /// There is no such store on this system, or nowhere to keep it.
        public static let unavailable = Self("unavailable")
        /// The operating system, or the store's own rules about owner and mode, forbid it.
        public static let refused = Self("refused")
        /// The record or the key is damaged, or belongs to another account. Nothing is deleted because of it.
        public static let corrupt = Self("corrupt")
        /// An older copy of the record was put back. Its refresh token may be spent, and using it could sign the person out. Nothing is
        /// deleted because of it; signing in again helps, or deleting the record.
        public static let rolledBack = Self("rolled_back")
        /// The key that the record was sealed with is not there, or another one is in its place. The record is whole, and opens again with its key.
        public static let keyMissing = Self("key_missing")
        /// A newer program wrote the record.
        public static let tooNew = Self("too_new")
        /// No space is left.
        public static let full = Self("full")
        /// The record is larger than the store takes.
        public static let tooLarge = Self("too_large")
        /// Another holder kept the lease, or a writer the record, for longer than the caller waits.
        public static let leaseHeld = Self("lease_held")
        /// The caller's task was cancelled while it waited.
        public static let cancelled = Self("cancelled")
        /// Reading or writing failed otherwise.
        public static let failed = Self("failed")
    }

    public let code: Code
    /// What was wrong and what to do about it; never part of a record.
    public let explanation: String
    public let underlying: (any Error)?
    /// The process that holds it up, for ``Code/leaseHeld``, where the store knows it.
    public let leaseHolder: Int32?
    /// Whether it tells of an archive, and not of a store.
    package private(set) var isOfArchive = false

    /// The same, told of an archive.
    package var ofArchive: Self {
        var error = self
        error.isOfArchive = true
        return error
    }

    /// Whether it tells of the file that records a choice, of the store or of the key's source, and not of a record.
    package private(set) var isOfChoice = false

    /// The same, told of the file that records a choice.
    package var ofChoice: Self {
        var error = self
        error.isOfChoice = true
        return error
    }

    /// Whether the record is lost for good, so that nothing but replacing it helps: signing in again does that.
    package var asksForReplacement: Bool {
        (code == .corrupt || code == .rolledBack) && !isOfChoice
    }

    public init(_ code: Code, _ explanation: String, underlying: (any Error)? = nil, leaseHolder: Int32? = nil) {
        self.leaseHolder = leaseHolder
        self.code = code
        self.explanation = explanation
        self.underlying = underlying
    }
}

extension CredentialStoreError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension CredentialStoreError: CustomStringConvertible {
    public var description: String { "\(code.description.codeInWords): \(explanation)" }
}
