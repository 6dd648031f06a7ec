import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform

/// The stored list of one account's sign-ins that wait for their callbacks, so that a callback finds its sign-in after a restart. The list
/// also has notes of sign-ins in progress, so that each of them detects a sign-out in another process.
///
/// A sign-in stays in the list until its callback has been checked or it ends otherwise. If a process was killed, the next sign-in removes
/// its expired entries, and a sign-out removes all entries.
struct PendingSignIns: Sendable {
    /// Only a program that is killed repeatedly can have more. The oldest is removed.
    static let limit = 4
    private static let format: Int64 = 1
    private static let attempts = 8

    /// A sign-in that is in progress, from before the user is asked until its tokens are stored.
    struct Note: Sendable, Hashable {
        let id: String
        let expiresAt: Date

        /// Longer than any sign-in takes. After that time, the note of a killed process is removed. In seconds.
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
    /// - Throws: ``SessionError`` with `.storeFailed`, even if only the list is damaged, because a damaged list does not show whether the
    ///   account was signed out.
    func end(_ note: Note) async throws(SessionError) -> Bool {
        try await change(replacingDamaged: false) { list in
            guard let index = list.notes.firstIndex(of: note) else { return false }
            list.notes.remove(at: index)
            return true
        }
    }

    /// Returns the readable sign-ins in the list, oldest first.
    func all() async throws(SessionError) -> [PendingAuthorization] {
        do throws(CredentialStoreError) {
            return try await read().list.pending
        } catch {
            throw SessionError(error)
        }
    }

    /// Removes a sign-in from the list, whether or not it succeeds later.
    ///
    /// - Returns: Whether it was in the list. Of all callers in all processes, only one gets true.
    func remove(_ pending: PendingAuthorization) async throws(SessionError) -> Bool {
        try await change { list in
            guard let index = list.pending.firstIndex(where: { $0.isSameSignIn(as: pending) }) else { return false }
            list.pending.remove(at: index)
            return true
        }
    }
}

extension PendingSignIns {
    /// - Parameter body: Changes the list, or returns false to leave it unchanged. Called again if another process changed the list first.
    private func change(replacingDamaged: Bool = true, _ body: (inout List) -> Bool) async throws(SessionError) -> Bool {
        do {
            for _ in 0..<Self.attempts {
                var (list, version) = try await replacingDamaged ? readForChange() : read()
                guard body(&list) else { return false }
                // The list is written even if it is empty now: if it were only deleted, two callers that remove the same entry would both
                // succeed.
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

    /// Returns the list, or an empty one if it is damaged: a damaged list has no sign-ins to finish, and must not prevent new ones.
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
