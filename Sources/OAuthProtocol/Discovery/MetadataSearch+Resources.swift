import AuthHubPrimitives
import HTTPTypes

extension MetadataSearch<ProtectedResourceMetadata> {
    /// Looks for a resource's metadata at its well-known URLs (RFC 9728 §3.1), or where a challenge says it is. Redirects are not
    /// followed.
    ///
    /// - Parameter address: The parameter `resource_metadata` of a challenge (``TokenChallenge/resourceMetadata``). That document alone is
    ///   asked for then.
    public init(of resource: ResourceIdentifier, at address: String? = nil, matching: ResourceMatching = .identical) {
        self.init(
            address.map { [$0] } ?? resource.metadataURLs, transport: resource.transport, followsRedirects: false
        ) { head, body throws(OAuthError) in
            try ProtectedResourceMetadata(head, body: body, of: resource, matching: matching)
        }
    }
}
