extension CredentialAccount {
    /// The account for the record of the account's sign-ins in progress, and for the lease of the sign-in that shows its page.
    ///
    /// It differs from the account itself because a sign-in lasts minutes, and a refresh must not wait for it.
    package var signIns: Self {
        Self(server: "\(Self.reservedPrefix)sign-ins:\(server)", clientID: clientID, label: label)
    }
}
