package import AuthHubPrimitives

extension RevocationRequest {
    /// The same request; the server's errors are shown without these secrets, too.
    package func hiding(_ secrets: [Secret<String>]) -> Self {
        var request = self
        request.message.relatedSecrets = secrets
        return request
    }
}
