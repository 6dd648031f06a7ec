package import AuthHubPrimitives

extension TokenRequest {
    /// Returns the same request. These secrets are also removed from the server's errors before they are displayed.
    package func hiding(_ secrets: [Secret<String>]) -> Self {
        var request = self
        request.message.relatedSecrets = secrets
        return request
    }
}
