extension CredentialAccount {
    /// What belongs to the account's sign-ins that are under way: their record, and the lease of the one that shows its page.
    ///
    /// Apart from the account itself, because a sign-in lasts minutes, and a refresh must not wait for it.
    package var signIns: Self {
        Self(server: "\(Self.reservedPrefix)sign-ins:\(server)", clientID: clientID, label: label)
    }
}
