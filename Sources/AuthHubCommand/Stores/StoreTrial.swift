import AuthHubPrimitives
import CredentialStorage

/// A harmless round trip through a store.
struct StoreTrial: Sendable {
    struct Step: Sendable {
        let name: String
        let duration: Duration
        let problem: CredentialStoreError?
    }

    private let store: any CredentialInventory
    /// A unique name for this run, which is not a real account.
    private let account: CredentialAccount

    private static let longestWait = Duration.seconds(10)

    init(store: any CredentialInventory) {
        self.store = store
        let label = Base64URL.encode(randomBytes(count: 12))
        account = CredentialAccount(server: "authhub:test", clientID: "authhub", label: label)
    }

    /// Performs the test.
    ///
    /// - Returns: The steps up to the first that fails.
    func perform() async -> [Step] {
        let first = Secret(randomBytes(count: 64))
        let second = Secret(randomBytes(count: 20_000))
        var steps: [Step] = []
        var version: CredentialVersion?
        let works: [(String, () async throws(CredentialStoreError) -> Void)] = [
            ("write", { () throws(CredentialStoreError) in version = try await write(first, replacing: nil) }),
            ("read", { () throws(CredentialStoreError) in try await requireStanding(first) }),
            ("replace", { () throws(CredentialStoreError) in version = try await write(second, replacing: version) }),
            ("reject an older record", { () throws(CredentialStoreError) in try await requireLoss(first) }),
            ("read 20 kB", { () throws(CredentialStoreError) in try await requireStanding(second) }),
            ("list", { () throws(CredentialStoreError) in try await requireListed() }),
            ("lease", { () throws(CredentialStoreError) in try await requireLease() }),
            ("delete", { () throws(CredentialStoreError) in try await delete(version) }),
        ]
        for (name, work) in works {
            let start = ContinuousClock.now
            var problem: CredentialStoreError?
            do throws(CredentialStoreError) {
                try await work()
            } catch {
                problem = error
            }
            steps.append(Step(name: name, duration: start.duration(to: .now), problem: problem))
            guard problem != nil else { continue }
            // Any record under this name belongs to this run.
            if steps.count > 1 { _ = try? await store.delete(account, at: nil) }
            break
        }
        return steps
    }

    private func write(
        _ payload: Secret<[UInt8]>, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialVersion {
        guard case .stored(let version) = try await store.write(payload, for: account, replacing: expected) else {
            throw Self.wrong("the store reports a conflict with a record that was never written")
        }
        return version
    }

    private func requireStanding(_ payload: Secret<[UInt8]>) async throws(CredentialStoreError) {
        guard try await store.read(account)?.payload.reveal() == payload.reveal() else {
            throw Self.wrong("the store does not return the record that was written")
        }
    }

    private func requireLoss(_ payload: Secret<[UInt8]>) async throws(CredentialStoreError) {
        guard case .superseded = try await store.write(payload, for: account, replacing: .unique()) else {
            throw Self.wrong("the store replaced a newer record with an old one")
        }
    }

    private func requireListed() async throws(CredentialStoreError) {
        guard try await store.inventory(includingUnlisted: true).accounts.contains(account) else {
            throw Self.wrong("the store does not list the record that was written")
        }
    }

    private func requireLease() async throws(CredentialStoreError) {
        let lease = try await store.lease(account, waitingAtMost: Self.longestWait)
        let excludes: Bool
        do throws(CredentialStoreError) {
            await (try store.lease(account, waitingAtMost: .zero)).release()
            excludes = false
        } catch {
            excludes = error.code == .leaseHeld
        }
        await lease.release()
        guard excludes else { throw Self.wrong("the store granted one lease twice") }
    }

    private func delete(_ version: CredentialVersion?) async throws(CredentialStoreError) {
        guard try await store.delete(account, at: version), try await store.read(account) == nil else {
            throw Self.wrong("the store still has the record that was deleted")
        }
    }

    private static func wrong(_ what: String) -> CredentialStoreError {
        CredentialStoreError(.failed, "\(what); do not store credentials in it")
    }
}

extension StoreTrial.Step {
    private var microseconds: Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    var words: String { "\(Double(microseconds) / 1000) ms" }

    var json: JSONValue {
        ["step": .string(name), "microseconds": .number(JSONNumber(microseconds)), "problem": problem?.json ?? .null]
    }
}
