/// What became of each account when records were moved or imported.
public struct CredentialTransferReport: Sendable {
    public struct Entry: Sendable {
        public let account: CredentialAccount
        public let outcome: CredentialTransferOutcome
    }

    /// All accounts, in the order of the work.
    public package(set) var entries: [Entry] = []
    /// The records of the source that do not open, and so have no account; they were left as they are.
    public package(set) var unreadable: [CredentialStoreError] = []
}

public enum CredentialTransferOutcome: Sendable {
    /// It stands in the target now.
    case transferred
    /// The same stood in the target already.
    case alreadyThere
    /// It stands in the target now, in the place of another record, as was asked for.
    case replacedAnother
    /// Another record stands in the target, maybe a newer one. Both were kept.
    case keptAnother
    /// It was deleted in the source before its turn came.
    case gone
    /// Someone is renewing it (`.leaseHeld`, with the holder where known). It was kept where it is; try again.
    case skipped(CredentialStoreError)
    /// It was kept where it is.
    case failed(CredentialStoreError)
    /// The work ended before its turn, because the task was cancelled, or a store could not be used any more. It was kept where it is.
    case notReached
}

extension CredentialTransferReport {
    /// Whether nothing is left to do.
    public var isComplete: Bool {
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
    /// Works on one account after the other, until the task is cancelled or a store cannot be used any more.
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
    /// Whether the next account would fail the same way, and a person be asked again for each.
    fileprivate var endsTransfers: Bool {
        [.locked, .dismissed, .timedOut, .unavailable, .full, .cancelled].contains(self)
    }
}
