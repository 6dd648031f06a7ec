import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sign-ins of one account that wait for their callbacks, in the store, so that a callback finds its own after a restart; and notes of
/// those in progress, so that each of them learns of a sign-out in another process.
///
/// Each stands there until its callback is judged or it ends otherwise; what a killed process left goes with the next sign-in after its
/// time, or with the sign-out.
struct PendingSignIns: Sendable {
    /// Only a program that is killed repeatedly can have more. The oldest is removed.
    static let limit = 4
    private static let format: Int64 = 1
    private static let attempts = 8

    /// A sign-in that is in progress, from before the user is asked until its tokens are stored.
    struct Note: Sendable, Hashable {
        let id: String
        let expiresAt: Date

        /// Longer than a sign-in takes; after it, the note of a killed process is removed.
        fileprivate static let lifetime = 86_400.0
        /// Only a program that is killed repeatedly can have more.
        fileprivate static let limit = 16

        fileprivate init(expiresAt: Date) {
            id = Base64URL.encode(randomBytes(count: 12))
            self.expiresAt = Date(timeIntervalSince1970: expiresAt.timeIntervalSince1970.rounded())
        }

        fileprivate init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, let end = json["expires_at"]?.number?.int64 else { return nil }
            self.id = id
            expiresAt = Date(timeIntervalSince1970: Double(end))
        }

        fileprivate var json: JSONValue {
            ["id": .string(id), "expires_at": .number(JSONNumber(Int64(expiresAt.timeIntervalSince1970)))]
        }
    }

    private struct List {
        var pending: [PendingAuthorization] = []
        var notes: [Note] = []

        var isEmpty: Bool { pending.isEmpty && notes.isEmpty }
    }

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
            list.pending.removeAll { $0.expiresAt <= now() }
            list.pending.append(pending)
            list.pending.removeFirst(max(0, list.pending.count - Self.limit))
            return true
        }
    }

    /// Notes that a sign-in of the account is in progress. A sign-out, in any process, deletes the note.
    func begin() async throws(SessionError) -> Note {
        let note = Note(expiresAt: now().addingTimeInterval(Note.lifetime))
        _ = try await change { list in
            list.notes.removeAll { $0.expiresAt <= now() }
            list.notes.append(note)
            list.notes.removeFirst(max(0, list.notes.count - Note.limit))
            return true
        }
        return note
    }

    /// Removes the note of a sign-in that has finished.
    ///
    /// - Returns: Whether it was stored: false if the account was signed out in the meantime.
    /// - Throws: ``SessionError`` with `.storeFailed`, also for a damaged list, which says nothing about a sign-out.
    func end(_ note: Note) async throws(SessionError) -> Bool {
        try await change(replacingDamaged: false) { list in
            guard let index = list.notes.firstIndex(of: note) else { return false }
            list.notes.remove(at: index)
            return true
        }
    }

    /// All that is written down and can be read, the oldest first.
    func all() async throws(SessionError) -> [PendingAuthorization] {
        do throws(CredentialStoreError) {
            return try await read().list.pending
        } catch {
            throw SessionError(error)
        }
    }

    /// Takes a sign-in out, whatever becomes of it.
    ///
    /// - Returns: Whether it stood there: true for one caller alone, in all processes.
    func remove(_ pending: PendingAuthorization) async throws(SessionError) -> Bool {
        try await change { list in
            guard let index = list.pending.firstIndex(where: { $0.isSameSignIn(as: pending) }) else { return false }
            list.pending.remove(at: index)
            return true
        }
    }
}

extension PendingSignIns {
    /// - Parameter body: Changes the list, or returns false to leave it. Called again where another process was faster.
    private func change(replacingDamaged: Bool = true, _ body: (inout List) -> Bool) async throws(SessionError) -> Bool {
        do {
            for _ in 0..<Self.attempts {
                var (list, version) = try await replacingDamaged ? readForChange() : read()
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

    private func read() async throws(CredentialStoreError) -> (list: List, version: CredentialVersion?) {
        guard let stored = try await store.read(account) else { return (List(), nil) }
        let record = try? JSONValue(strict: stored.payload.reveal())
        guard let record, record["format"]?.number?.int64 == Self.format else { return (List(), stored.version) }
        let pending = (record["pending"]?.array ?? []).compactMap { try? PendingAuthorization(serialized: Secret($0.serialized())) }
        return (List(pending: pending, notes: (record["in_progress"]?.array ?? []).compactMap(Note.init)), stored.version)
    }

    /// A damaged list holds nothing that could be finished, and must not keep anyone from signing in.
    private func readForChange() async throws(CredentialStoreError) -> (list: List, version: CredentialVersion?) {
        do throws(CredentialStoreError) {
            return try await read()
        } catch  where error.asksForReplacement {
            try await store.delete(account, at: nil)
            return (List(), nil)
        }
    }

    private func record(of list: List) throws -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["pending"] = .array(try list.pending.map { try JSONValue(strict: $0.serialized().reveal()) })
        if !list.notes.isEmpty { members["in_progress"] = .array(list.notes.map(\.json)) }
        return Secret(JSONValue.object(members).serialized())
    }
}
