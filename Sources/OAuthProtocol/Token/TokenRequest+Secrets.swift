package import AuthHubPrimitives

extension TokenRequest {
    /// The same request; the server's errors are shown without these secrets, too.
    package func hiding(_ secrets: [Secret<String>]) -> Self {
        var request = self
        request.message.relatedSecrets = secrets
        return request
    }
}
