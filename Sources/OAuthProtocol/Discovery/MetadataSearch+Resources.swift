import AuthHubPrimitives
import HTTPTypes

extension MetadataSearch<ProtectedResourceMetadata> {
    /// Creates a search for a resource's metadata at its well-known URLs (RFC 9728 §3.1), or at the URL in a challenge. Redirects are not
    /// followed.
    ///
    /// - Parameter address: The parameter `resource_metadata` of a challenge (``TokenChallenge/resourceMetadata``). If set, only
    ///   that document is requested.
    package init(of resource: ResourceIdentifier, at address: String? = nil, matching: ResourceMatching = .identical) {
        self.init(
            address.map { [$0] } ?? resource.metadataURLs, transport: resource.transport, followsRedirects: false
        ) { url, head, body throws(OAuthError) in
            try ProtectedResourceMetadata(head, body: body, of: resource, at: url, matching: matching)
        }
    }
}
