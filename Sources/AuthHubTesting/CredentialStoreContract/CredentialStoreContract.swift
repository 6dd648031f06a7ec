import AuthHubPrimitives
public import CredentialStorage

/// The rules that every `CredentialStore` must follow, each with a check that tests it.
///
/// ```swift
/// @Test(arguments: CredentialStoreContract.checks)
/// func `the store keeps the contract`(check: CredentialStoreContract.Check) async throws {
///     let folder = try TemporaryFolder()
///     try await check.run { MyStore(folder: folder) }
/// }
/// ```
///
/// Each check uses its own accounts and removes their records afterwards, so checks can run concurrently, and on a store that is in use.
public enum CredentialStoreContract {
    /// A closure that creates another handle for the same storage, as another process would.
    package typealias MakeStore = @Sendable () async throws -> any CredentialStore

    /// All checks: for records, conflicting writes, leases and secrecy.
    public static let checks: [Check] = recordChecks + conflictChecks + leaseChecks + secrecyChecks

    /// A rule, and the check that tests it. `description` states the rule in a sentence.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        package let sentence: String
        private let body: @Sendable (Bench) async throws -> Void

        init(_ sentence: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
            self.sentence = sentence
            self.body = body
        }

        public var description: String { sentence }

        /// Runs the check.
        ///
        /// - Parameter makeStore: Creates another instance for the same storage, as another process would. Called several times.
        /// - Throws: An error that describes the violation if the store breaks the rule; otherwise, any unexpected error of the store.
        public func run(on makeStore: @escaping @Sendable () async throws -> any CredentialStore) async throws {
            let bench = try await Bench(makeStore: makeStore, sentence: sentence)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(bench)) } catch { outcome = .failure(error) }
            await bench.removeRecords()
            try outcome.get()
        }
    }

    /// An error that describes how a store broke a rule.
    package struct Violation: Error, CustomStringConvertible {
        /// The rule that the store broke.
        package let sentence: String
        /// The behavior of the store that breaks the rule.
        package let finding: String

        package var description: String { "Broken: \(sentence) \(finding)" }
    }
}
