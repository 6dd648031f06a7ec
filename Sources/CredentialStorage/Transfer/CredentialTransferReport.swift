/// The result for each account when records were moved or imported.
package struct CredentialTransferReport: Sendable {
    /// An account and the result for its record.
    package struct Entry: Sendable {
        /// The account of the record.
        package let account: CredentialAccount
        /// The result for the record, with an error if it was not transferred because of one.
        package let outcome: CredentialTransferOutcome
    }

    /// All accounts, in the order of processing.
    package var entries: [Entry] = []
    /// The errors of unreadable records of the source, whose accounts are unknown; they were not changed.
    package var unreadable: [CredentialStoreError] = []
}

/// The result of moving or importing one account's record.
package enum CredentialTransferOutcome: Sendable {
    /// The record is now in the target.
    case transferred
    /// The target already had the same record.
    case alreadyThere
    /// The record is now in the target, replacing another one, as requested.
    case replacedAnother
    /// The target has another record, maybe a newer one. Both were kept.
    case keptAnother
    /// The record was deleted from the source before its turn.
    case gone
    /// Another process is refreshing it (`.leaseHeld`, with the holder if known). It was not moved; try again.
    case skipped(CredentialStoreError)
    /// The record was not moved.
    case failed(CredentialStoreError)
    /// The operation stopped earlier, because the task was cancelled or a store could no longer be used. The record was not moved.
    case notReached
}

extension CredentialTransferReport {
    /// Whether nothing is left to do.
    package var isComplete: Bool {
        unreadable.isEmpty && entries.allSatisfy(\.outcome.isFinal)
    }
}

extension CredentialTransferOutcome {
    fileprivate var isFinal: Bool {
        switch self {
        case .transferred, .alreadyThere, .replacedAnother, .gone: true
        case .keptAnother, .skipped, .failed, .notReached: false
        }
    }
}

extension CredentialTransferReport {
    /// Processes one account after the other, until the task is cancelled or a store becomes unusable.
    static func working(
        on accounts: [CredentialAccount], unreadable: [CredentialStoreError] = [],
        _ work: (CredentialAccount) async throws(CredentialStoreError) -> CredentialTransferOutcome
    ) async -> Self {
        var report = Self(unreadable: unreadable)
        var isOver = false
        for account in accounts {
            isOver = isOver || Task.isCancelled
            let outcome: CredentialTransferOutcome
            do throws(CredentialStoreError) {
                outcome = isOver ? .notReached : try await work(account)
            } catch  where error.code == .leaseHeld {
                outcome = .skipped(error)
            } catch {
                outcome = .failed(error)
                isOver = error.code.endsTransfers
            }
            report.entries.append(Entry(account: account, outcome: outcome))
        }
        return report
    }
}

extension CredentialStoreError.Code {
    /// Whether the next account would fail in the same way, with another prompt for the user each time.
    fileprivate var endsTransfers: Bool {
        [.locked, .dismissed, .timedOut, .unavailable, .full, .cancelled].contains(self)
    }
}
