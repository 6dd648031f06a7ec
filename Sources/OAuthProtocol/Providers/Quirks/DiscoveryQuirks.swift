extension ProviderQuirks {
    /// How the server's metadata is read.
    package struct DiscoveryQuirks: Sendable, Hashable {
        /// Whether up to three redirects from the metadata URL are followed, to https URLs only. RFC 8414 §3.2 has no redirects.
        package var followsRedirectsOfMetadata = false
        /// An issuer with a part in braces that differs by tenant: `https://login.example/{tenantid}/v2.0`. Metadata that names exactly
        /// this issuer, or this issuer with the part filled in, is accepted as metadata of the requested issuer.
        package var issuerTemplate: String?

        package init() {}
    }
}
