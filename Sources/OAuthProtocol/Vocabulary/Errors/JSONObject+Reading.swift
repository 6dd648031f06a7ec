import AuthHubPrimitives

extension JSONObject {
    /// Reads a document of the server's.
    ///
    /// - Parameter document: What it is, for the error: `the answer`.
    /// - Throws: ``OAuthError`` with `.invalidResponse` for what is not one JSON text, or one that is no object.
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
