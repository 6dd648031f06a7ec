package import CredentialStorage

/// What a registered client is for: an issuer, and the resource if the sign-in began at one. Each resource has a client of its own, because
/// a malicious resource can name the issuer of other APIs, and would receive tokens of the client that the user trusts there.
package struct RegistrationKey: Sendable, Hashable {
    package let issuer: String
    /// The resource's identifier; nil for a client that the user has registered for all sign-ins at the issuer.
    package let resource: String?

    package init(issuer: String, resource: String? = nil) {
        (self.issuer, self.resource) = (issuer, resource)
    }

    /// Creates the key of a stored record; nil if the record is not a registration.
    package init?(_ account: CredentialAccount) {
        let parts = account.label.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self.init(issuer: parts[0], resource: parts.count > 1 ? parts[1] : nil)
        guard account == self.account else { return nil }
    }

    /// The account under which the registration is stored. Programs that share a store share the client.
    package var account: CredentialAccount {
        CredentialAccount(server: Self.server, clientID: "authhub", label: [issuer, resource].compactMap(\.self).joined(separator: " "))
    }

    /// The server in the names of these records.
    package static let server = "authhub:registrations"
}

extension AccountSettings {
    /// The keys of registrations that the account's client may be from.
    package var registrationKeys: [RegistrationKey] {
        let shared = RegistrationKey(issuer: provider.name)
        return resource.map { [RegistrationKey(issuer: provider.name, resource: $0.text), shared] } ?? [shared]
    }
}
