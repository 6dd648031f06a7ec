/// A report of which store has a service's credentials, and why.
public struct StoreChoiceReport: Sendable {
    /// The way the store was determined.
    public enum Origin: String, Sendable {
        /// The store was requested by name.
        case named
        /// The store was recorded at the first write.
        case recorded
        /// Nothing is recorded, and there are encrypted files from before choices were recorded.
        case foundRecords = "found_records"
        /// Nothing is chosen yet: the first write would currently choose this store.
        case next
    }

    /// A store in the order in which they are checked.
    public struct Step: Sendable {
        public let kind: CredentialStoreKind
        /// Whether it can be chosen without being requested by name.
        public let isAutomatic: Bool
        public let location: String
        public let standing: StoreStanding
    }

    /// The chosen store; nil if none can currently be chosen; ``steps`` say why.
    public let chosen: CredentialStoreKind?
    /// The store that records are being moved out of, if the move has not finished.
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
    /// The step of the chosen store.
    public var chosenStep: Step? { steps.first { $0.kind == chosen } }

    /// The stores before the chosen one in the order, each with the reason why it is not available.
    public var passedOver: [(kind: CredentialStoreKind, reason: CredentialStoreError)] {
        steps.filter(\.isAutomatic).prefix { $0.kind != chosen }.compactMap { step in
            guard case .absent(let reason) = step.standing else { return nil }
            return (step.kind, reason)
        }
    }
}
