import CredentialStorage

/// A change of an account's label.
///
/// The settings are copied first, then the tokens are moved, and then the old settings are deleted: at any interruption, tokens have
/// settings that lead to them, and relabeling again finishes the change. The placeholder of the old tokens is deleted last: it shows that
/// equal settings under the new label are not those of another account.
struct AccountRelabeling: Sendable {
    let book: AccountBook
    let source: String
    let target: String

    private var store: any CredentialInventory { book.store }

    func perform() async throws(SessionError) {
        guard let settings = try await book.settings(of: source) else {
            guard try await finishesEarlier() else { throw error(.unknown) }
            return
        }
        let account = try settings.account(label: source)
        let leases = try await leases(on: [account, try settings.account(label: target)])
        let outcome: Result<Void, SessionError>
        do {
            outcome = .success(try await move(settings, account))
        } catch {
            outcome = .failure(error)
        }
        for lease in leases { await lease.release() }
        try outcome.get()
    }

    /// Finishes an earlier change whose last step alone is missing.
    ///
    /// - Returns: Whether there was one.
    private func finishesEarlier() async throws(SessionError) -> Bool {
        guard let settings = try await book.settings(of: target) else { return false }
        let (old, new) = (try settings.account(label: source), try settings.account(label: target))
        let move = AccountMove(store: store, source: old, target: new)
        guard (try? await move.leftPlaceholder()) ?? false else { return false }
        await move.finish()
        return true
    }

    private func move(_ settings: AccountSettings, _ account: CredentialAccount) async throws(SessionError) {
        try await requireNoPendingRevocation(of: account)
        let copied = try await copy(settings)
        let move = AccountMove(store: store, source: account, target: try settings.account(label: target))
        do {
            try await move.perform()
        } catch {
            let error = SessionError(cause: error)
            let mayContinue =
                if copied == nil {
                    (try? await move.leftPlaceholder()) ?? false
                } else {
                    // The account is not signed in: there are only settings to move.
                    (try? await book.settings(of: source)) == settings
                }
            guard error.code == .signInNeeded, mayContinue else {
                await takeBack(copied)
                throw problem(error)
            }
            // The account may have been signed out since the first check.
            do throws(SessionError) {
                try await requireNoPendingRevocation(of: account)
            } catch {
                await takeBack(copied)
                throw error
            }
        }
        try await forgetSource(settings)
        await move.finish()
    }

    /// Tokens that a sign-out could not revoke are stored under the account's label, and only that label leads to them.
    private func requireNoPendingRevocation(of account: CredentialAccount) async throws(SessionError) {
        do throws(CredentialStoreError) {
            guard try await store.read(account.signOut) != nil else { return }
            guard try await !store.hasRecord(of: account) else {
                // The sign-out was interrupted before it deleted the tokens, so it must not revoke them later.
                return await UnfinishedSignOut(account: account, store: store).takeBack()
            }
        } catch {
            throw SessionError(error)
        }
        throw error(.revocationPending)
    }

    /// Copies the settings.
    ///
    /// - Returns: The version of the copy; nil if it existed already.
    private func copy(_ settings: AccountSettings) async throws(SessionError) -> CredentialVersion? {
        let record = try settings.record(label: target)
        do throws(CredentialStoreError) {
            if case .stored(let version) = try await store.write(record, for: AccountSettings.recordAccount(label: target), replacing: nil)
            {
                return version
            }
        } catch {
            throw SessionError(error)
        }
        // Equal settings are the remains of an interrupted change, not of another account. Moving the tokens shows whether any are stored
        // under the new label.
        guard try await book.settings(of: target) == settings else { throw error(.labelTaken) }
        return nil
    }

    /// Prevents sign-ins during the change, which would store their tokens under the old label or replace the moved tokens.
    private func leases(on accounts: [CredentialAccount]) async throws(SessionError) -> [CredentialLease] {
        var leases: [CredentialLease] = []
        do throws(CredentialStoreError) {
            for account in accounts { leases.append(try await store.lease(account.signIns, waitingAtMost: .zero)) }
        } catch {
            for lease in leases { await lease.release() }
            throw error.code == .leaseHeld ? self.error(.inUse(holder: error.leaseHolder)) : SessionError(error)
        }
        return leases
    }

    /// Removes the copy. Completes even if the task is cancelled.
    private func takeBack(_ copied: CredentialVersion?) async {
        guard let copied else { return }
        _ = await Task { try? await book.forget(target, at: copied) }.value
    }

    /// Deletes the old settings, unless a sign-in has changed them in the meantime. Completes even if the task is cancelled.
    private func forgetSource(_ settings: AccountSettings) async throws(SessionError) {
        let outcome = await Task { () async -> Result<Void, SessionError> in
            do throws(SessionError) {
                guard let stored = try await book.record(of: source), try AccountSettings(record: stored.payload) == settings else {
                    return .success(())
                }
                return .success(try await book.forget(source, at: stored.version))
            } catch {
                return .failure(error)
            }
        }.value
        try outcome.get()
    }

    private func problem(_ error: SessionError) -> SessionError {
        switch error.code {
        case .misconfigured: self.error(.labelTaken)
        case .signInNeeded: self.error(.labelTakenBySignedOut)
        default: error
        }
    }

    private func error(_ problem: AccountProblem) -> SessionError { SessionError(problem, label: source, target: target) }
}
