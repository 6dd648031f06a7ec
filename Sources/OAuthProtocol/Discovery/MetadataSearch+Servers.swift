import AuthHubPrimitives
import HTTPTypes

extension MetadataSearch<ServerMetadata> {
    /// Creates a search for an authorization server's metadata at its well-known URLs (RFC 8414 §3, OpenID Connect Discovery 1.0 §4).
    ///
    /// - Parameter quirks: The provider's quirks: whether redirects are followed, and which other issuer the document may name.
    package init(of issuer: Issuer, quirks: ProviderQuirks = ProviderQuirks()) {
        self.init(of: issuer, discovery: quirks.discovery)
    }

    package init(of issuer: Issuer, discovery quirks: ProviderQuirks.DiscoveryQuirks) {
        self.init(
            issuer.metadataURLs, transport: issuer.transport, followsRedirects: quirks.followsRedirectsOfMetadata
        ) { url, head, body throws(OAuthError) in
            try ServerMetadata(head, body: body, of: issuer, at: url, template: quirks.issuerTemplate)
        }
    }
}
