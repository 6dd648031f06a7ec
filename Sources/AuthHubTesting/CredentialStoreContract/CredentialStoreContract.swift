import AuthHubPrimitives
public import CredentialStorage

/// What every `CredentialStore` has to pass, one sentence for each rule.
///
/// ```swift
/// @Test(arguments: CredentialStoreContract.checks)
/// func `the store keeps the contract`(check: CredentialStoreContract.Check) async throws {
///     let folder = try TemporaryFolder()
///     try await check.run { MyStore(folder: folder) }
/// }
/// ```
///
/// Checks use accounts of their own, and remove them again: they may run side by side, and on a store that is in use.
public enum CredentialStoreContract {
    /// Makes another handle on one and the same storage, as another process would.
    public typealias MakeStore = @Sendable () async throws -> any CredentialStore

    public static let checks: [Check] = recordChecks + conflictChecks + leaseChecks + secrecyChecks

    /// One rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public let sentence: String
        private let body: @Sendable (Bench) async throws -> Void

        init(_ sentence: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
            self.sentence = sentence
            self.body = body
        }

        public var description: String { sentence }

        /// - Throws: ``Violation`` where the store breaks the rule; what the store threw where it should not have.
        public func run(on makeStore: @escaping MakeStore) async throws {
            let bench = try await Bench(makeStore: makeStore, sentence: sentence)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(bench)) } catch { outcome = .failure(error) }
            await bench.removeRecords()
            try outcome.get()
        }
    }

    /// How a store broke a rule.
    public struct Violation: Error, CustomStringConvertible {
        public let sentence: String
        public let finding: String

        public var description: String { "Broken: \(sentence) \(finding)" }
    }
}
