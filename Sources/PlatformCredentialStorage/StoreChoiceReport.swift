public import CredentialStorage

/// Which store a service's credentials are in, and why that one.
public struct StoreChoiceReport: Sendable {
    /// How the store came to be the one.
    public enum Origin: String, Sendable {
        /// Asked for by name.
        case named
        /// Recorded at the first write.
        case recorded
        /// Nothing is recorded, and there are encrypted files of the time before choices were recorded.
        case foundRecords = "found_records"
        /// Nothing is chosen yet: the first write would take it, as things stand.
        case next
    }

    /// A store in the order they are looked at.
    public struct Step: Sendable {
        public let kind: CredentialStoreKind
        /// Whether it is taken without being asked for by name.
        public let isAutomatic: Bool
        public let location: String
        public let standing: StoreStanding
    }

    /// Nil where none can be chosen as things stand; ``steps`` say why.
    public let chosen: CredentialStoreKind?
    /// The store that records are being moved out of, by a move that has not ended.
    public let movingFrom: CredentialStoreKind?
    public let origin: Origin
    public let steps: [Step]

    init(chosen: CredentialStoreKind?, movingFrom: CredentialStoreKind? = nil, origin: Origin, steps: [Step]) {
        self.chosen = chosen
        self.movingFrom = movingFrom
        self.origin = origin
        self.steps = steps
    }
}

extension StoreChoiceReport {
    /// The step of the store that is chosen.
    public var chosenStep: Step? { steps.first { $0.kind == chosen } }

    /// Those that come before the chosen one in the order, with why each is not there.
    public var passedOver: [(kind: CredentialStoreKind, reason: CredentialStoreError)] {
        steps.filter(\.isAutomatic).prefix { $0.kind != chosen }.compactMap { step in
            guard case .absent(let reason) = step.standing else { return nil }
            return (step.kind, reason)
        }
    }
}
