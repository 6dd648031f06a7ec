package import CredentialStorage

/// A store that may be chosen: its current status, and how to open it.
package struct StoreCandidate: Sendable {
    package let kind: CredentialStoreKind
    /// Whether it can be chosen without being requested by name.
    package let isAutomatic: Bool
    /// The location of the records, for messages to the user.
    package let location: String
    /// Determines its status within seconds, and changes nothing.
    let look: @Sendable () async -> StoreStanding
    /// Opens the store, without accessing it yet.
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

/// The current state of a store.
package enum StoreStanding: Sendable {
    case usable
    /// The store exists, and the user must do something first, such as unlocking it. It is still chosen: a locked store is no reason to
    /// store tokens in a weaker place.
    case needsPerson(CredentialStoreError)
    /// There is no such store on this system. The next one is checked.
    case absent(CredentialStoreError)
    /// It could not be determined whether the store exists. Then none is chosen.
    case unclear(CredentialStoreError)
}
