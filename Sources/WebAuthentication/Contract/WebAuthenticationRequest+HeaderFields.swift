import AuthHubPrimitives

extension WebAuthenticationRequest {
    /// Validates the additional header fields and returns them. Call this in an authenticator that sends them.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if a field must not be sent. The explanation contains its name, but never
    ///   its value.
    public func checkedHeaderFields() throws(WebAuthenticationError) -> [String: String] {
        for (name, value) in additionalHeaderFields {
            guard name.lowercased().hasPrefix("x-"), name.utf8.count > 2, name.utf8.allSatisfy(\.isHTTPTokenCharacter) else {
                throw WebAuthenticationError(
                    .cannotShow,
                    "the header field “\(name.prefix(60))” must not be sent with the page; names of additional header fields must begin with X-"
                )
            }
            guard value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) }) else {
                throw WebAuthenticationError(.cannotShow, "the header field \(name) has characters that are not allowed in header fields")
            }
        }
        return additionalHeaderFields
    }
}
