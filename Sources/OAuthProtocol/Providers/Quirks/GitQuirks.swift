package import AuthHubPrimitives

extension ProviderQuirks {
    /// How git uses an access token for the provider's repositories over https.
    package struct GitQuirks: Sendable, Hashable {
        /// The user name that git sends with the token as the password; nil for a provider that is not known to host repositories.
        package var userName: String?
        /// Whether the provider ignores the user name.
        package var ignoresUserName = false
        /// The origins of the repositories; if empty, the origin of the authorization endpoint.
        package var origins: Set<Origin> = []

        package init() {}
    }
}
