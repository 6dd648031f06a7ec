public import CredentialStorage

extension CredentialStoreContract {
    /// What every store has to pass whose records outlive the process, as sentences.
    ///
    /// ```swift
    /// @Test(arguments: CredentialStoreContract.durabilityChecks)
    /// func `the store outlives mishaps`(check: CredentialStoreContract.DurabilityCheck) async throws {
    ///     try await check.run(with: means)
    /// }
    /// ```
    public static let durabilityChecks: [DurabilityCheck] = damageChecks + deathChecks

    /// How to do to a store from outside what happens to it in the course of its life.
    public struct Means: Sendable {
        /// Another handle on one and the same storage.
        public var makeStore: MakeStore
        /// Changes the sealed part of an account's record where it is kept.
        public var damage: @Sendable (CredentialAccount) async throws -> Void
        /// Marks an account's record as one of a format that is not known yet.
        public var makeNewer: @Sendable (CredentialAccount) async throws -> Void
        /// Takes an account's lease in another process, and kills that with SIGKILL while it has the lease.
        public var dieWithLease: @Sendable (CredentialAccount) async throws -> Void
        /// How long the lease of a process that died may stay.
        public var leaseOutlivesHolder: Duration
        /// The steps of a write and of a deletion between which a process can be killed.
        public var writingSteps: [String]
        public var deletingSteps: [String]
        /// Writes a payload over what stands, in another process that is killed with SIGKILL at a step.
        public var dieWriting: @Sendable (_ payload: String, CredentialAccount, _ step: String) async throws -> Void
        /// Deletes what stands, in another process that is killed with SIGKILL at a step.
        public var dieDeleting: @Sendable (CredentialAccount, _ step: String) async throws -> Void

        public init(
            makeStore: @escaping MakeStore,
            damage: @escaping @Sendable (CredentialAccount) async throws -> Void,
            makeNewer: @escaping @Sendable (CredentialAccount) async throws -> Void,
            dieWithLease: @escaping @Sendable (CredentialAccount) async throws -> Void,
            leaseOutlivesHolder: Duration = .zero,
            writingSteps: [String],
            deletingSteps: [String],
            dieWriting: @escaping @Sendable (_ payload: String, CredentialAccount, _ step: String) async throws -> Void,
            dieDeleting: @escaping @Sendable (CredentialAccount, _ step: String) async throws -> Void
        ) {
            self.makeStore = makeStore
            self.damage = damage
            self.makeNewer = makeNewer
            self.dieWithLease = dieWithLease
            self.leaseOutlivesHolder = leaseOutlivesHolder
            self.writingSteps = writingSteps
            self.deletingSteps = deletingSteps
            self.dieWriting = dieWriting
            self.dieDeleting = dieDeleting
        }
    }

    /// One rule about mishaps.
    public struct DurabilityCheck: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public var sentence: String { description }
        public let description: String
        private let body: @Sendable (Bench, Means) async throws -> Void

        init(_ sentence: String, _ body: @escaping @Sendable (Bench, Means) async throws -> Void) {
            description = sentence
            self.body = body
        }

        /// - Throws: ``Violation`` where the store breaks the rule; what the store threw where it should not have.
        public func run(with means: Means) async throws {
            try await Check(sentence) { try await body($0, means) }.run(on: means.makeStore)
        }
    }
}
