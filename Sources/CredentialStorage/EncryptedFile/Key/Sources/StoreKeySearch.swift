/// Finds the key source of a new store, in a fixed order, and reports why each other one was skipped.
///
/// A search is for stores without records. Its result is recorded with the store (``StoreKeyChoice``). From then on, ``source(of:)``
/// returns exactly that source or an error, never another one.
package struct StoreKeySearch: Sendable {
    /// The candidates, in order of preference.
    package let candidates: [Candidate]

    /// Creates a search of candidates in order of preference.
    package init(_ candidates: [Candidate]) {
        self.candidates = candidates
    }
}

extension StoreKeySearch {
    /// A possible source of the key.
    package struct Candidate: Sendable {
        /// The source that is recorded if this candidate is chosen.
        package let choice: StoreKeyChoice
        let passedOver: Set<CredentialStoreError.Code>
        let look: @Sendable () throws(CredentialStoreError) -> Standing
        let make: @Sendable () throws(CredentialStoreError) -> any StoreKeySource

        /// Creates a candidate.
        ///
        /// - Parameters:
        ///   - passedOver: The errors of `look` after which the search continues. All others end it: a source that exists but is broken,
        ///     locked or forbidden must not lead to a weaker one automatically.
        ///   - look: Checks whether the source could be used now. Changes nothing and asks no one.
        ///   - make: Creates the source.
        package init(
            _ choice: StoreKeyChoice,
            passedOver: Set<CredentialStoreError.Code> = [.unavailable],
            look: @escaping @Sendable () throws(CredentialStoreError) -> Standing,
            make: @escaping @Sendable () throws(CredentialStoreError) -> any StoreKeySource
        ) {
            self.choice = choice
            self.passedOver = passedOver
            self.look = look
            self.make = make
        }
    }

    /// The state of a source that can be used.
    package enum Standing: Sendable, Hashable {
        /// The source could be used for a new store.
        case ready
        /// The source has a key that was created for this very store, so it is preferred to all others.
        case holdsTheStoresKey
    }

    /// The result for one candidate.
    package struct Finding: Sendable {
        /// The candidate's source.
        package let choice: StoreKeyChoice
        /// The result for the candidate, with its error if it cannot be used.
        package let verdict: Verdict
    }

    /// The result of a search for one candidate.
    package enum Verdict: Sendable {
        case taken
        /// The candidate cannot be used, for this reason, and the search continued.
        case passedOver(CredentialStoreError)
        /// The candidate exists but cannot be used, for this reason, which the user must resolve. The search stopped here.
        case stopped(CredentialStoreError)
        /// Another candidate was chosen.
        case notNeeded
    }
}

extension StoreKeySearch {
    /// Returns the current result of the search for each candidate. Changes nothing and asks no one.
    package func findings() -> [Finding] {
        let looks = candidates.map { candidate in
            (candidate, Result { () throws(CredentialStoreError) in try candidate.look() })
        }
        if let holder = looks.firstIndex(where: { (try? $0.1.get()) == .holdsTheStoresKey }) {
            return candidates.indices.map { Finding(choice: candidates[$0].choice, verdict: $0 == holder ? .taken : .notNeeded) }
        }
        var isOver = false
        return looks.map { candidate, look in
            if isOver { return Finding(choice: candidate.choice, verdict: .notNeeded) }
            switch look {
            case .success:
                isOver = true
                return Finding(choice: candidate.choice, verdict: .taken)
            case .failure(let error) where candidate.passedOver.contains(error.code):
                return Finding(choice: candidate.choice, verdict: .passedOver(error))
            case .failure(let error):
                isOver = true
                return Finding(choice: candidate.choice, verdict: .stopped(error))
            }
        }
    }

    /// Returns the source for a new store, and the choice to record.
    ///
    /// - Throws: ``CredentialStoreError`` of the candidate that ended the search, naming it; with `.unavailable` if none can be used.
    package func choose() throws(CredentialStoreError) -> (choice: StoreKeyChoice, source: any StoreKeySource) {
        for finding in findings() {
            switch finding.verdict {
            case .taken: return (finding.choice, try source(of: finding.choice))
            case .stopped(let error): throw error.of(finding.choice, "cannot be used")
            case .passedOver, .notNeeded: continue
            }
        }
        throw CredentialStoreError(.unavailable, "no key source for the store is available here; name one")
    }

    /// Returns the source of a recorded choice, whatever a search would find now.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if it is missing here; with `.tooNew` if its name is not known.
    package func source(of choice: StoreKeyChoice) throws(CredentialStoreError) -> any StoreKeySource {
        try source(of: choice, orElse: "cannot provide the key, and no other source is used instead")
    }

    /// Returns the source of a key that should replace the current one.
    package func newSource(_ choice: StoreKeyChoice) throws(CredentialStoreError) -> any StoreKeySource {
        do throws(CredentialStoreError) {
            return try source(of: choice, orElse: "cannot provide the new key, and nothing was changed")
        } catch  where error.code == .corrupt {
            // The error is not about the records.
            throw CredentialStoreError(.refused, error.explanation, underlying: error)
        }
    }

    private func source(of choice: StoreKeyChoice, orElse what: String) throws(CredentialStoreError) -> any StoreKeySource {
        guard let candidate = candidates.first(where: { $0.choice == choice }) else {
            throw CredentialStoreError(
                .tooNew,
                "the store's key comes from “\(choice)”, which this program does not support or is not configured to use; update this program"
            )
        }
        do throws(CredentialStoreError) {
            return try candidate.make()
        } catch {
            throw error.of(choice, what)
        }
    }
}

extension CredentialStoreError {
    fileprivate func of(_ choice: StoreKeyChoice, _ what: String) -> Self {
        Self(
            code, "the store's key source “\(choice)” \(what): \(explanation)", underlying: underlying, leaseHolder: leaseHolder)
    }
}
