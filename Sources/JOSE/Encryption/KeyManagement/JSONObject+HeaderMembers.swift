import AuthHubPrimitives

extension JSONObject {
    /// The decoded value of a header parameter that must be present.
    func headerBytes(_ name: String, count: Int? = nil) throws(JOSEError) -> [UInt8] {
        guard let text = self[name]?.string, let bytes = Base64URL.decode(text), count == nil || bytes.count == count else {
            throw JOSEError(.malformed, "the header's \(name) is missing, is not base64url, or has the wrong length")
        }
        return bytes
    }

    /// The value of an optional header parameter that must be a string.
    func headerString(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw JOSEError(.malformed, "the header's \(name) is not a string") }
        return string
    }
}
