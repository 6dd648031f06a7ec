import AuthHubPrimitives
import HTTPTypes

extension MetadataSearch<ServerMetadata> {
    /// Looks for an authorization server's metadata at ``Issuer/metadataAddresses``.
    ///
    /// - Parameter quirks: Of the provider: whether to ask where an answer redirects to, which RFC 8414 §3.2 does not have, and which other
    ///   issuer the document may name. It is compared all the same.
    public init(of issuer: Issuer, quirks: ProviderQuirks.DiscoveryQuirks = .init()) {
        self.init(
            issuer.metadataAddresses, transport: issuer.transport, followsRedirects: quirks.followsRedirectsOfMetadata
        ) { head, body throws(OAuthError) in
            try ServerMetadata(head, body: body, of: issuer, template: quirks.issuerTemplate)
        }
    }
}
