import AuthHubPrimitives

/// A transfer that moves the records of one store to another.
///
/// Each record is written to the target, read back and compared before it is deleted from the source, under the account's lease there. If
/// the process is killed, each record is in at least one of the stores; move again to finish.
///
/// Sessions that use the source are signed out when their record is gone: end them, or let them re-read the store.
package struct CredentialTransfer: Sendable {
    private let replacesOthers: Bool
    private let longestWait: Duration
    private let reached: TransferStepHook

    /// Creates a transfer.
    ///
    /// - Parameters:
    ///   - replacesOthers: Whether the source's record replaces another record in the target.
    ///   - longestWait: The maximum time to wait for a refresh to finish, per account.
    package init(replacesOthers: Bool = false, waitingForLeasesAtMost longestWait: Duration = .seconds(10)) {
        self.init(replacesOthers: replacesOthers, waitingForLeasesAtMost: longestWait, reached: { _ in })
    }

    /// Creates a transfer with a hook for tests.
    ///
    /// - Parameter reached: Called at each step of each record.
    package init(replacesOthers: Bool, waitingForLeasesAtMost longestWait: Duration, reached: @escaping TransferStepHook) {
        self.replacesOthers = replacesOthers
        self.longestWait = longestWait
        self.reached = reached
    }

    /// How often a record is moved again if others change it at the same time without its lease.
    private static let attempts = 4
}

extension CredentialTransfer {
    /// Moves all records, including those stored alongside the accounts, if the source can list them.
    ///
    /// - Returns: The result for each account. A failure of one does not affect the others.
    /// - Throws: ``CredentialStoreError`` if the source's records cannot be listed; with `.refused` if both are the same store.
    package func move(
        from source: any CredentialStore, to target: any CredentialStore
    ) async throws(CredentialStoreError) -> CredentialTransferReport {
        let (accounts, unreadable) = try await source.allRecords()
        if let first = accounts.first { try await requireOthers(first, source, target) }
        return await .working(on: accounts, unreadable: unreadable) { account throws(CredentialStoreError) in
            try await source.withLease(on: account, waitingAtMost: longestWait) { () throws(CredentialStoreError) in
                // Also exclude processes that already use the target by name.
                try await target.withLease(on: account, waitingAtMost: longestWait) { () throws(CredentialStoreError) in
                    reached(.leased)
                    return try await move(account, source, target)
                }
            }
        }
    }

    private func move(
        _ account: CredentialAccount, _ source: any CredentialStore, _ target: any CredentialStore
    ) async throws(CredentialStoreError) -> CredentialTransferOutcome {
        /// The version that this move has written, and may replace.
        var own: CredentialVersion?
        var outcome: CredentialTransferOutcome?
        for _ in 0..<Self.attempts {
            guard let record = try await source.read(account) else {
                // Signed out in the meantime: the copy must not remain.
                if let own { try await target.delete(account, at: own) }
                return .gone
            }
            reached(.read)
            let standing = try await target.read(account)
            if let standing, standing.holdsTheSame(as: record.payload) {
                if standing.version == record.version { try await requireOthers(account, source, target) }
                outcome = outcome ?? .alreadyThere
            } else {
                guard standing == nil || replacesOthers || standing?.version == own else { return .keptAnother }
                guard case .stored(let version) = try await target.write(record.payload, for: account, replacing: standing?.version) else {
                    continue
                }
                outcome = outcome ?? (standing == nil ? .transferred : .replacedAnother)
                own = version
                reached(.written)
                try await requireWritten(record.payload, account, target)
            }
            reached(.verified)
            guard try await source.delete(account, at: record.version) else { continue }
            reached(.deleted)
            return outcome ?? .transferred
        }
        throw CredentialStoreError(
            .failed, "other programs keep changing the record of \(account.label) at \(account.server); it was not moved; try again later")
    }

    private func requireWritten(
        _ payload: Secret<[UInt8]>, _ account: CredentialAccount, _ target: any CredentialStore
    ) async throws(CredentialStoreError) {
        guard try await target.read(account)?.holdsTheSame(as: payload) == true else {
            throw CredentialStoreError(
                .failed,
                "the target does not return the record that was written for \(account.label) at \(account.server); the source's record was kept"
            )
        }
    }
}
