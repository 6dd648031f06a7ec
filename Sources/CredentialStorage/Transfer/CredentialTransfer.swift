import AuthHubPrimitives

/// Moves the records of one store to another one.
///
/// Each record is written to the target, read back and compared before it is deleted in the source, all under the account's lease there.
/// Killed at any point, it leaves each record in one of the stores at least; moving again finishes.
///
/// Sessions that are open on the source find themselves signed out when their record has gone: end them, or let them look again.
public struct CredentialTransfer: Sendable {
    private let replacesOthers: Bool
    private let longestWait: Duration
    private let reached: TransferStepHook

    /// - Parameters:
    ///   - replacesOthers: Whether the source's record takes the place of another one that stands in the target.
    ///   - longestWait: How long the end of a refresh is waited for, for each account.
    public init(replacesOthers: Bool = false, waitingForLeasesAtMost longestWait: Duration = .seconds(10)) {
        self.init(replacesOthers: replacesOthers, waitingForLeasesAtMost: longestWait, reached: { _ in })
    }

    /// - Parameter reached: Called at each step of each record.
    package init(replacesOthers: Bool, waitingForLeasesAtMost longestWait: Duration, reached: @escaping TransferStepHook) {
        self.replacesOthers = replacesOthers
        self.longestWait = longestWait
        self.reached = reached
    }

    /// How often a record is followed that others change at the same time without taking its lease.
    private static let attempts = 4
}

extension CredentialTransfer {
    /// Moves all records, also those that are kept beside the accounts where the source can tell of them.
    ///
    /// - Returns: What became of each. One that fails leaves the others to their own luck.
    /// - Throws: ``CredentialStoreError`` where the source's records cannot be listed; with `.refused` where both are the same store.
    public func move(
        from source: any CredentialStore, to target: any CredentialStore
    ) async throws(CredentialStoreError) -> CredentialTransferReport {
        let (accounts, unreadable) = try await source.allRecords()
        if let first = accounts.first { try await requireOthers(first, source, target) }
        return await .working(on: accounts, unreadable: unreadable) { account throws(CredentialStoreError) in
            try await source.withLease(on: account, waitingAtMost: longestWait) { () throws(CredentialStoreError) in
                // Also of those who use the target by its name already.
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
        /// What this move has written, which it may replace.
        var own: CredentialVersion?
        var outcome: CredentialTransferOutcome?
        for _ in 0..<Self.attempts {
            guard let record = try await source.read(account) else {
                // Signed out meanwhile: the copy must not outlive it.
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
