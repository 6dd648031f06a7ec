public import CredentialStorage

/// A store that may be chosen: how it stands at the moment, and how to open it.
package struct StoreCandidate: Sendable {
    package let kind: CredentialStoreKind
    /// Whether it is taken without being asked for by name.
    package let isAutomatic: Bool
    /// Where the records are, to tell people.
    package let location: String
    /// Finds out how it stands, within seconds, and changes nothing.
    let look: @Sendable () async -> StoreStanding
    /// Touches nothing yet.
    let open: @Sendable () -> any CredentialInventory

    package init(
        _ kind: CredentialStoreKind, isAutomatic: Bool = true, location: String,
        look: @escaping @Sendable () async -> StoreStanding = { .usable },
        open: @escaping @Sendable () -> any CredentialInventory
    ) {
        self.kind = kind
        self.isAutomatic = isAutomatic
        self.location = location
        self.look = look
        self.open = open
    }
}

/// How a store stands at the moment.
public enum StoreStanding: Sendable {
    case usable
    /// It is there, and a person has to do something first, such as unlocking it. It is chosen all the same: what a person keeps locked is no
    /// reason to put tokens somewhere weaker.
    case needsPerson(CredentialStoreError)
    /// There is no such store on this system. The next one is looked at.
    case absent(CredentialStoreError)
    /// It may be there; that could not be found out. Nothing is chosen then.
    case unclear(CredentialStoreError)
}
