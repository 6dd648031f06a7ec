import AuthHubPrimitives
import CredentialStorage

extension CredentialTransferOutcome {
    /// The output for `-o json`.
    var word: String {
        switch self {
        case .transferred: "moved"
        case .alreadyThere: "already_there"
        case .replacedAnother: "replaced_another"
        case .keptAnother: "kept_another"
        case .gone: "gone"
        case .skipped: "skipped"
        case .failed: "failed"
        case .notReached: "not_reached"
        }
    }

    var problem: CredentialStoreError? {
        switch self {
        case .skipped(let error), .failed(let error): error
        default: nil
        }
    }
}

extension CredentialTransferReport.Entry {
    var hasArrived: Bool {
        switch outcome {
        case .transferred, .alreadyThere, .replacedAnother: true
        case .keptAnother, .gone, .skipped, .failed, .notReached: false
        }
    }
}

extension CredentialTransferReport {
    /// The number of records that were kept because the target has different ones.
    var keptCount: Int { entries.count { if case .keptAnother = $0.outcome { true } else { false } } }

    /// The first few of them, for messages.
    var keptNames: String {
        let names = entries.compactMap { entry -> String? in
            guard case .keptAnother = entry.outcome else { return nil }
            return "\(entry.account.recordKind) of “\(entry.account.label)” at \(entry.account.server)"
        }
        return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    }

    /// The number of records that are in the target now.
    var arrivedCount: Int { entries.count(where: \.hasArrived) }

    var json: JSONValue {
        [
            "records": .array(
                entries.map { entry in
                    [
                        "kind": .string(entry.account.recordKind.replacing("-", with: "_")), "server": .string(entry.account.server),
                        "client_id": .string(entry.account.clientID), "account": .string(entry.account.label),
                        "outcome": .string(entry.outcome.word), "problem": entry.outcome.problem?.json ?? .null,
                    ]
                }),
            "unreadable": .array(unreadable.map(\.json)),
            "complete": .bool(isComplete),
        ]
    }

    /// The reason why it is incomplete; nil if it is complete.
    var failure: Failure? {
        guard !isComplete else { return nil }
        if let problem = entries.lazy.compactMap(\.outcome.problem).first {
            let cause = Failure(problem)
            return Failure(cause.code, cause.exit, "not all records were transferred: \(cause.message)", hint: cause.hint)
        }
        if let error = unreadable.first {
            return Failure(
                "store_failed", .storeFailed,
                "\(Words.count(unreadable.count, "record")) cannot be read and were not transferred: \(error.explanation)",
                hint: "authhub accounts remove --damaged, then run the same command again")
        }
        return Failure("interrupted", .interrupted, "not all records were transferred", hint: "run the same command again")
    }
}
