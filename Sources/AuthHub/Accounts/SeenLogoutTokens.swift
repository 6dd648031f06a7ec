import AuthHubPrimitives
import CredentialStorage
import Crypto
import OAuthProtocol
import Platform

/// The logout tokens that were accepted, until they expire, so that none is accepted twice. All programs that share the store share the list.
struct SeenLogoutTokens: Sendable {
    private static let attempts = 8
    /// The maximum number of tokens. Only tokens with a valid signature are listed.
    private static let limit = 10_000

    private let account: CredentialAccount
    private let store: any CredentialStore
    private let now: @Sendable () -> Date

    init(of account: CredentialAccount, in store: any CredentialStore, now: @escaping @Sendable () -> Date) {
        self.account = account.logoutTokens
        self.store = store
        self.now = now
    }

    /// Adds a token to the list.
    ///
    /// - Returns: Whether the token was new. Of all callers in all processes, only one gets true.
    func add(_ token: LogoutToken) async throws(SessionError) -> Bool {
        let name = Self.name(of: token)
        // The token's own expiry has a tolerance.
        let end = Int64(token.expiresAt.timeIntervalSince1970) + 300
        return try await change { entries in
            guard entries[name] == nil else { return false }
            entries[name] = end
            return true
        }
    }

    func contains(_ token: LogoutToken) async throws(SessionError) -> Bool {
        do {
            return try Self.entries(in: try await store.read(account))[Self.name(of: token)] != nil
        } catch {
            throw SessionError(cause: error)
        }
    }

    private static func name(of token: LogoutToken) -> String {
        Base64URL.encode(SHA256.hash(data: Array("\(token.issuer)\u{0}\(token.id)".utf8)))
    }

    private func change(_ body: (inout [String: Int64]) -> Bool) async throws(SessionError) -> Bool {
        do {
            for _ in 0..<Self.attempts {
                let stored = try await store.read(account)
                var entries = try Self.entries(in: stored)
                let now = Int64(now().timeIntervalSince1970)
                entries = entries.filter { $0.value > now }
                guard entries.count < Self.limit else {
                    throw SessionError(.storeFailed, "the provider has sent too many logout tokens that have not expired")
                }
                guard body(&entries) else { return false }
                if case .stored = try await store.write(Self.record(of: entries), for: account, replacing: stored?.version) { return true }
            }
        } catch {
            throw SessionError(cause: error)
        }
        throw SessionError(.storeFailed, "other programs keep changing the list of logout tokens")
    }

    private static func entries(in stored: StoredCredential?) throws(SessionError) -> [String: Int64] {
        guard let stored else { return [:] }
        guard let members = (try? JSONValue(strict: stored.payload.reveal()))?.object?.members else {
            throw SessionError(.storeFailed, "the list of the accepted logout tokens is damaged; delete its record")
        }
        return Dictionary(members.compactMap { member in member.value.number?.int64.map { (member.name, $0) } }) { first, _ in first }
    }

    private static func record(of entries: [String: Int64]) -> Secret<[UInt8]> {
        var members = JSONObject()
        for (name, end) in entries { members.appendUnchecked(name, .number(JSONNumber(end))) }
        return Secret(JSONValue.object(members).serialized())
    }
}
