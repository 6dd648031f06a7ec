public import CredentialStorage

/// The store of a service's credentials, and the reason for it.
public struct StoreChoiceReport: Sendable {
    /// How the store was chosen.
    package enum Origin: String, Sendable {
        /// The user named the store.
        case named
        /// The first write recorded the store.
        case recorded
        /// Nothing is recorded, and there are encrypted files from before choices were recorded.
        case foundRecords = "found_records"
        /// Nothing is chosen yet; the first write would currently choose this store.
        case next
    }

    /// A store, in the order of checking.
    package struct Step: Sendable {
        /// The kind of the checked store.
        package let kind: CredentialStoreKind
        /// Whether the store can be chosen without being named.
        package let isAutomatic: Bool
        /// The location of the records, for messages to the user: a path or a description.
        package let location: String
        /// The state of the store when it was checked.
        package let standing: StoreStanding
    }

    /// The chosen store. Nil if none is available; ``passedOver`` says why.
    public let chosen: CredentialStoreKind?
    /// The store from which records are being moved, if the move has not finished.
    package let movingFrom: CredentialStoreKind?
    /// The reason that ``chosen`` is the chosen store.
    package let origin: Origin
    /// All stores that were checked, in the order of preference.
    package let steps: [Step]

    init(chosen: CredentialStoreKind?, movingFrom: CredentialStoreKind? = nil, origin: Origin, steps: [Step]) {
        self.chosen = chosen
        self.movingFrom = movingFrom
        self.origin = origin
        self.steps = steps
    }
}

extension StoreChoiceReport {
    /// The step of the chosen store.
    package var chosenStep: Step? { steps.first { $0.kind == chosen } }

    /// The stores that precede the chosen one in the order, and why each is not available.
    public var passedOver: [(kind: CredentialStoreKind, reason: CredentialStoreError)] {
        steps.filter(\.isAutomatic).prefix { $0.kind != chosen }.compactMap { step in
            guard case .absent(let reason) = step.standing else { return nil }
            return (step.kind, reason)
        }
    }
}
