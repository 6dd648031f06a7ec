package import CredentialStorage

extension CredentialStoreContract {
    /// The checks that every persistent store must pass, as sentences.
    ///
    /// ```swift
    /// @Test(arguments: CredentialStoreContract.durabilityChecks)
    /// func `the store outlives mishaps`(check: CredentialStoreContract.DurabilityCheck) async throws {
    ///     try await check.run(with: means)
    /// }
    /// ```
    package static let durabilityChecks: [DurabilityCheck] = damageChecks + deathChecks

    /// The operations that simulate, from outside, what can happen to a store.
    package struct Means: Sendable {
        /// A closure that creates another handle for the same storage.
        package var makeStore: MakeStore
        /// Damages the encrypted part of an account's record in the storage.
        package var damage: @Sendable (CredentialAccount) async throws -> Void
        /// Marks an account's record as one in a newer, unknown format.
        package var makeNewer: @Sendable (CredentialAccount) async throws -> Void
        /// Takes an account's lease in another process, and kills that process with SIGKILL while it holds the lease.
        package var dieWithLease: @Sendable (CredentialAccount) async throws -> Void
        /// The time that the lease of a killed process may remain.
        package var leaseOutlivesHolder: Duration
        /// The steps of a write between which a process can be killed.
        package var writingSteps: [String]
        /// The steps of a deletion between which a process can be killed.
        package var deletingSteps: [String]
        /// Overwrites a record with a payload in another process, which is killed with SIGKILL at a step.
        package var dieWriting: @Sendable (_ payload: String, CredentialAccount, _ step: String) async throws -> Void
        /// Deletes a record in another process, which is killed with SIGKILL at a step.
        package var dieDeleting: @Sendable (CredentialAccount, _ step: String) async throws -> Void

        /// Creates the operations for a store. By default, the lease of a killed process must be free immediately.
        package init(
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

    /// A rule about failures and crashes.
    package struct DurabilityCheck: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        package var sentence: String { description }
        package let description: String
        private let body: @Sendable (Bench, Means) async throws -> Void

        init(_ sentence: String, _ body: @escaping @Sendable (Bench, Means) async throws -> Void) {
            description = sentence
            self.body = body
        }

        /// Runs the check.
        ///
        /// - Throws: ``Violation`` if the store breaks the rule; otherwise, an unexpected error of the store.
        package func run(with means: Means) async throws {
            try await Check(sentence) { try await body($0, means) }.run(on: means.makeStore)
        }
    }
}
