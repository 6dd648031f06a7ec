import AuthHubPrimitives

extension JSONObject {
    /// Reads a JSON object that a server sent.
    ///
    /// - Parameter document: The name of the document for the error, such as `the response`.
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the bytes are not exactly one JSON object.
    init(_ bytes: [UInt8], of document: String) throws(OAuthError) {
        let value: JSONValue
        do {
            value = try JSONValue(strict: bytes)
        } catch {
            throw OAuthError(.invalidResponse, "\(document) is not valid JSON", underlying: error)
        }
        guard let object = value.object else { throw OAuthError(.invalidResponse, "\(document) is JSON, but not an object") }
        self = object
    }
}
