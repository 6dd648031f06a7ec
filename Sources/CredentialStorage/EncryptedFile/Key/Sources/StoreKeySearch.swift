/// Finds the source of a new store's key, in a fixed order, and says of each one that was passed over why.
///
/// A search is for stores without records. What it finds is recorded with the store (``StoreKeyChoice``), and from then on
/// ``source(of:)`` gives exactly that source or an error, never another one.
public struct StoreKeySearch: Sendable {
    /// In the order of preference.
    public let candidates: [Candidate]

    public init(_ candidates: [Candidate]) {
        self.candidates = candidates
    }
}

extension StoreKeySearch {
    /// One place that a key may come from.
    public struct Candidate: Sendable {
        public let choice: StoreKeyChoice
        let passedOver: Set<CredentialStoreError.Code>
        let look: @Sendable () throws(CredentialStoreError) -> Standing
        let make: @Sendable () throws(CredentialStoreError) -> any StoreKeySource

        /// - Parameters:
        ///   - passedOver: With which errors of `look` the search goes on. All others end it: what is there but broken, locked or
        ///     forbidden must not lead to something weaker by itself.
        ///   - look: Whether the source could be taken now. Changes nothing, asks no one.
        ///   - make: The source itself.
        public init(
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

    public enum Standing: Sendable, Hashable {
        /// It could be taken for a new store.
        case ready
        /// It holds a key that was made for this very store, and is taken before all others.
        case holdsTheStoresKey
    }

    /// What became of one candidate.
    public struct Finding: Sendable {
        public let choice: StoreKeyChoice
        public let verdict: Verdict
    }

    public enum Verdict: Sendable {
        case taken
        /// It cannot be taken, for this reason, and the search went on.
        case passedOver(CredentialStoreError)
        /// It is there and cannot be used, for this reason, which a person has to look into. The search ended.
        case stopped(CredentialStoreError)
        /// Another one was taken.
        case notNeeded
    }
}

extension StoreKeySearch {
    /// What the search comes to now, candidate by candidate. Changes nothing, asks no one.
    public func findings() -> [Finding] {
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

    /// The source to take for a new store, and the choice to record.
    ///
    /// - Throws: ``CredentialStoreError`` of the candidate that ended the search, naming it; with `.unavailable` where none can be taken.
    public func choose() throws(CredentialStoreError) -> (choice: StoreKeyChoice, source: any StoreKeySource) {
        for finding in findings() {
            switch finding.verdict {
            case .taken: return (finding.choice, try source(of: finding.choice))
            case .stopped(let error): throw error.of(finding.choice, "cannot be used")
            case .passedOver, .notNeeded: continue
            }
        }
        throw CredentialStoreError(.unavailable, "no source of a key for the store can be used here; choose one")
    }

    /// The source of a choice that was recorded, whatever a search would come to now.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` where it is missing here; with `.tooNew` for a name that is not known.
    public func source(of choice: StoreKeyChoice) throws(CredentialStoreError) -> any StoreKeySource {
        try source(of: choice, orElse: "cannot provide the key, and no other source is used instead")
    }

    /// The source of a key that is to take the place of the present one.
    func newSource(_ choice: StoreKeyChoice) throws(CredentialStoreError) -> any StoreKeySource {
        do throws(CredentialStoreError) {
            return try source(of: choice, orElse: "cannot provide the new key, and nothing was changed")
        } catch  where error.code == .corrupt {
            // The records have nothing to do with it.
            throw CredentialStoreError(.refused, error.explanation, underlying: error)
        }
    }

    private func source(of choice: StoreKeyChoice, orElse what: String) throws(CredentialStoreError) -> any StoreKeySource {
        guard let candidate = candidates.first(where: { $0.choice == choice }) else {
            throw CredentialStoreError(
                .tooNew,
                "the store's key comes from “\(choice)”, which this program does not know or is not configured to use; update this program")
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
