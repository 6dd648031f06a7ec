import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sign-ins of one account that wait for their callbacks, in the store, so that a callback finds its own after a restart.
///
/// Each stands there until its callback is judged or it ends otherwise; what a killed process left goes with the next sign-in after its
/// time, or with the sign-out.
struct PendingSignIns: Sendable {
    /// More at a time only a program that is killed again and again can have. The oldest goes.
    static let limit = 4
    private static let format: Int64 = 1
    private static let attempts = 8

    private let account: CredentialAccount
    private let store: any CredentialStore
    private let now: @Sendable () -> Date

    init(of account: CredentialAccount, in store: any CredentialStore, now: @escaping @Sendable () -> Date) {
        self.account = account.signIns
        self.store = store
        self.now = now
    }

    func add(_ pending: PendingAuthorization) async throws(SessionError) {
        _ = try await change { list in
            list.removeAll { $0.expiresAt <= now() }
            list.append(pending)
            list.removeFirst(max(0, list.count - Self.limit))
            return true
        }
    }

    /// All that is written down and can be read, the oldest first.
    func all() async throws(SessionError) -> [PendingAuthorization] {
        do throws(CredentialStoreError) {
            return try await read().list
        } catch {
            throw SessionError(error)
        }
    }

    /// Takes a sign-in out, whatever becomes of it.
    ///
    /// - Returns: Whether it stood there: true for one caller alone, in all processes.
    func remove(_ pending: PendingAuthorization) async throws(SessionError) -> Bool {
        try await change { list in
            guard let index = list.firstIndex(where: { $0.isSameSignIn(as: pending) }) else { return false }
            list.remove(at: index)
            return true
        }
    }
}

extension PendingSignIns {
    /// - Parameter body: Changes the list, or returns false to leave it. Called again where another process was faster.
    private func change(_ body: (inout [PendingAuthorization]) -> Bool) async throws(SessionError) -> Bool {
        do {
            for _ in 0..<Self.attempts {
                var (list, version) = try await readForChange()
                guard body(&list) else { return false }
                // Also where none is left: a deletion would not tell two apart who take out the same one.
                guard case .stored(let stored) = try await store.write(record(of: list), for: account, replacing: version) else { continue }
                if list.isEmpty { _ = try? await store.delete(account, at: stored) }
                return true
            }
        } catch {
            throw SessionError(cause: error)
        }
        throw SessionError(.storeFailed, "other programs keep changing the list of pending sign-ins")
    }

    private func read() async throws(CredentialStoreError) -> (list: [PendingAuthorization], version: CredentialVersion?) {
        guard let stored = try await store.read(account) else { return ([], nil) }
        let record = try? JSONValue(strict: stored.payload.reveal())
        guard record?["format"]?.number?.int64 == Self.format else { return ([], stored.version) }
        let texts = record?["pending"]?.array ?? []
        return (texts.compactMap { try? PendingAuthorization(serialized: Secret($0.serialized())) }, stored.version)
    }

    /// A damaged list holds nothing that could be finished, and must not keep anyone from signing in.
    private func readForChange() async throws(CredentialStoreError) -> (list: [PendingAuthorization], version: CredentialVersion?) {
        do throws(CredentialStoreError) {
            return try await read()
        } catch  where error.asksForReplacement {
            try await store.delete(account, at: nil)
            return ([], nil)
        }
    }

    private func record(of list: [PendingAuthorization]) throws -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["pending"] = .array(try list.map { try JSONValue(strict: $0.serialized().reveal()) })
        return Secret(JSONValue.object(members).serialized())
    }
}
