import AuthHubPrimitives
public import CredentialStorage

extension OAuthAccounts {
    /// Gives an account another label.
    ///
    /// Waits for a refresh that is under way, in whatever process. Where it is interrupted, even by a kill, the account stands under at least one of
    /// the two labels; where under both, calling it again ends the move. Until then both name the same tokens, and once one of
    /// the two has been renewed, the other is to be given up with ``forget(_:)``. Running sessions of the old label find themselves signed out when
    /// they next have to renew the token.
    ///
    /// - Returns: The account under its new label.
    /// - Throws: ``SessionError``: `.signInNeeded` where the account is signed out, also meanwhile; `.misconfigured` where the new label
    ///   is taken; `.storeFailed`.
    @discardableResult
    public func relabel(_ account: CredentialAccount, as label: String) async throws(SessionError) -> CredentialAccount {
        let target = CredentialAccount(server: account.server, clientID: account.clientID, label: label)
        guard target != account else { return account }
        do {
            try await AccountMove(store: store, source: account, target: target).perform()
        } catch {
            throw SessionError(cause: error)
        }
        return target
    }
}

/// Moves a record: written to its new place first, and then taken from the old one, if nobody has touched that meanwhile.
struct AccountMove: Sendable {
    let store: any CredentialStore
    let source: CredentialAccount
    let target: CredentialAccount

    /// Longer than a refresh, which holds the lease, may take.
    private static let leaseTimeout = Duration.seconds(45)
    /// How often a sign-in that replaces the record in between is followed.
    private static let attempts = 8

    func perform() async throws {
        // In one order, whatever the direction, so that two moves never wait for each other.
        let order = [source, target].sorted { $0.identity.lexicographicallyPrecedes($1.identity) }
        let lease = try await store.lease(order[0], waitingAtMost: Self.leaseTimeout)
        let outcome: Result<Void, any Error>
        do {
            outcome = try await store.withLease(on: order[1], waitingAtMost: Self.leaseTimeout) {
                // Not to be cancelled halfway.
                await Task { try await move() }.result
            }
        } catch {
            outcome = .failure(error)
        }
        await lease.release()
        try outcome.get()
    }

    private func move() async throws {
        var written: CredentialVersion?
        for _ in 0..<Self.attempts {
            guard let standing = try await store.read(source), !MovedRecord.isOne(standing) else {
                try await takeBack(written)
                throw SessionError(.signInNeeded, "nobody is signed in under this label")
            }
            written = try await copy(standing, replacing: written)
            do {
                switch try await store.write(MovedRecord.payload, for: source, replacing: standing.version) {
                case .stored(let version):
                    // Where this fails, what is left is as good as no record.
                    _ = try? await store.delete(source, at: version)
                    return
                case .superseded(nil):
                    try await takeBack(written)
                    throw SessionError(.signInNeeded, "the account was signed out meanwhile")
                case .superseded:
                    continue
                }
            } catch let error as CredentialStoreError {
                if (try? await isMoved()) ?? false { return }
                try await takeBack(written)
                throw error
            }
        }
        try await takeBack(written)
        throw SessionError(.storeFailed, "other programs keep changing the stored credential")
    }

    private func copy(_ standing: StoredCredential, replacing written: CredentialVersion?) async throws -> CredentialVersion {
        switch try await store.write(standing.payload, for: target, replacing: written) {
        case .stored(let version): return version
        case .superseded(let other?) where other.payload.reveal() == standing.payload.reveal():
            // A move that was interrupted has come this far.
            return other.version
        case .superseded(let other?) where MovedRecord.isOne(other):
            return try await copy(standing, replacing: other.version)
        case .superseded(_?):
            throw SessionError(.misconfigured, "an account is signed in under the new label already")
        case .superseded(nil):
            throw SessionError(.signInNeeded, "the account was signed out under its new label")
        }
    }

    /// What was copied goes where the original is gone, or stays where it was.
    private func takeBack(_ written: CredentialVersion?) async throws {
        guard let written else { return }
        try await store.delete(target, at: written)
    }

    private func isMoved() async throws -> Bool {
        guard let standing = try await store.read(source) else { return true }
        return MovedRecord.isOne(standing)
    }
}

/// What stands in an account's place for the moment between two steps of its move: as good as no record.
///
/// The store's deletion does not tell whether there was something to delete, and a sign-out in between must not be missed.
enum MovedRecord {
    static let payload = Secret(Array(#"{"format":1,"moved":true}"#.utf8))

    static func isOne(_ stored: StoredCredential) -> Bool { stored.payload.reveal() == payload.reveal() }
}
