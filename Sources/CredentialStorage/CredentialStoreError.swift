import AuthHubPrimitives

/// The reason that a store operation failed. A missing record is not an error: reading it returns nil.
public struct CredentialStoreError: Error {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The store is locked, and the user must unlock it.
        public static let locked = Self("locked")
        /// The user was asked to unlock or create the store, and declined.
        public static let dismissed = Self("dismissed")
        /// The store's service did not respond in time. The operation may or may not have taken effect.
        public static let timedOut = Self("timed_out")
        /// The store does not exist on this system, or its location cannot be determined.
        public static let unavailable = Self("unavailable")
        /// The operation is forbidden by the operating system, or by the store's own rules for the owner and mode of files.
        public static let refused = Self("refused")
        /// The record or the key is damaged, or the record belongs to another account. Nothing was deleted.
        public static let corrupt = Self("corrupt")
        /// An older copy of the record was restored. Its refresh token may already have been used, and using it again could sign the user
        /// out. Nothing was deleted; sign in again, or delete the record.
        public static let rolledBack = Self("rolled_back")
        /// The key of the record is missing or was replaced. The record is undamaged and can be read again with its key.
        public static let keyMissing = Self("key_missing")
        /// A newer program wrote the record, in a format that this program cannot read.
        public static let tooNew = Self("too_new")
        /// There is no space left for the record.
        public static let full = Self("full")
        /// The record is larger than the store accepts.
        public static let tooLarge = Self("too_large")
        /// Another process held the lease, or was writing the record, for longer than the caller was willing to wait.
        public static let leaseHeld = Self("lease_held")
        /// The caller's task was cancelled while it waited.
        public static let cancelled = Self("cancelled")
        /// Reading or writing failed for another reason.
        public static let failed = Self("failed")
    }

    /// The kind of error, which determines what the caller can do.
    public let code: Code
    /// What is wrong and what to do about it. Never contains any part of a record.
    public let explanation: String
    /// The underlying error, such as the error of a system call; nil if there is none.
    public let underlying: (any Error)?
    /// The process that holds the lease, for ``Code/leaseHeld``, if the store knows it.
    package let leaseHolder: Int32?
    /// Whether the error is about an archive, not a store.
    package private(set) var isOfArchive = false

    /// The same error, about an archive.
    package var ofArchive: Self {
        var error = self
        error.isOfArchive = true
        return error
    }

    /// Whether the error is about the file that records a choice, of the store or of the key's source, not about a record.
    package private(set) var isOfChoice = false

    /// The same error, about the file that records a choice.
    package var ofChoice: Self {
        var error = self
        error.isOfChoice = true
        return error
    }

    /// Whether the record is lost for good, so that only replacing it helps, for example by signing in again.
    package var asksForReplacement: Bool {
        (code == .corrupt || code == .rolledBack) && !isOfChoice
    }

    /// Creates an error. The explanation must not contain any part of a record.
    public init(_ code: Code, _ explanation: String, underlying: (any Error)? = nil) {
        self.init(code, explanation, underlying: underlying, leaseHolder: nil)
    }

    package init(_ code: Code, _ explanation: String, underlying: (any Error)? = nil, leaseHolder: Int32?) {
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
