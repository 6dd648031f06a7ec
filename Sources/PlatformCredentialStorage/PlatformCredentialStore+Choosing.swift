import CredentialStorage

extension PlatformCredentialStore {
    /// Returns the store to write to: the store that was chosen before, or else one that is chosen and recorded now.
    func settled(for account: CredentialAccount) async throws(CredentialStoreError) -> StoreDecision {
        try choice.checkFolder()
        if let decision = try alreadySettled() { return decision }
        let lock = try await choice.lock()
        defer { lock.release() }
        // Another process may have chosen before we acquired the lock.
        if let decision = try alreadySettled() { return decision }
        if try hasOlderRecords() {
            let decision = StoreDecision(.encryptedFile)
            // Without the record, the records themselves still identify the store.
            try? choice.write(decision)
            return wanted.map(honouringMove) ?? decision
        }
        let decision = StoreDecision(try await decide())
        // The user may be asked, and decline: then nothing was chosen.
        try await store(of: decision).prepareToWrite(for: account)
        try choice.write(decision)
        return decision
    }

    private func alreadySettled() throws(CredentialStoreError) -> StoreDecision? {
        do throws(CredentialStoreError) {
            guard let decision = try choice.read() else { return nil }
            return wanted.map(honouringMove) ?? decision
        } catch {
            // A damaged record does not stop users who name the store they want.
            guard let wanted else { throw error }
            return honouringMove(wanted)
        }
    }

    private func decide() async throws(CredentialStoreError) -> CredentialStoreKind {
        if let wanted = wanted ?? presumed { return wanted }
        var steps: [StoreChoiceReport.Step] = []
        for candidate in candidates where candidate.isAutomatic {
            steps.append(
                StoreChoiceReport.Step(
                    kind: candidate.kind, isAutomatic: true, location: candidate.location, standing: await candidate.look()))
            if case .absent = steps[steps.count - 1].standing { continue }
            break
        }
        return try Self.next(in: steps)
    }

    /// Returns the first store that is available.
    ///
    /// - Throws: ``CredentialStoreError`` if that is unclear, with the code of the reason.
    static func next(in steps: [StoreChoiceReport.Step]) throws(CredentialStoreError) -> CredentialStoreKind {
        var reasons: [String] = []
        for step in steps where step.isAutomatic {
            switch step.standing {
            case .usable, .needsPerson: return step.kind
            case .absent(let reason): reasons.append("\(step.kind): \(reason.explanation)")
            case .unclear(let reason):
                throw CredentialStoreError(
                    reason.code,
                    "no store was chosen, because it is not clear whether “\(step.kind)” is available: \(reason.explanation); try again, or name the store yourself (such as file)",
                    underlying: reason.underlying)
            }
        }
        throw CredentialStoreError(.unavailable, "no credential store is available; \(reasons.joined(separator: "; "))")
    }
}
