import AuthHubPrimitives

extension WebAuthenticationRequest {
    /// Returns the additional header fields if each of them may be sent. For authenticators that send them.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, naming the field, never its value.
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
