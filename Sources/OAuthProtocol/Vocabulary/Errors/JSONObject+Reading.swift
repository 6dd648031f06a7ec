import AuthHubPrimitives
import HTTPTypes

extension JSONObject {
    /// Reads a JSON object that a server sent, whatever its media type. A byte order mark before it is ignored.
    ///
    /// - Parameter document: The name of the document for the error, such as `the response`.
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the bytes are not exactly one JSON object.
    init(_ bytes: [UInt8], of document: String) throws(OAuthError) {
        let value: JSONValue
        do {
            value = try JSONValue(received: bytes)
        } catch {
            throw OAuthError(.invalidResponse, "\(document) is not valid JSON", underlying: error)
        }
        guard let object = value.object else { throw OAuthError(.invalidResponse, "\(document) is JSON, but not an object") }
        self = object
    }

    /// Returns what is irregular about a document that was read as JSON, as log messages that contain nothing from the response.
    static func irregularities(of bytes: [UInt8], _ mediaType: String?, called document: String) -> [String] {
        var irregularities: [String] = []
        if bytes.withoutByteOrderMark.count < bytes.count { irregularities.append("\(document) begins with a byte order mark") }
        if mediaType == "text/html" { irregularities.append("\(document) is JSON, but its Content-Type is text/html") }
        return irregularities
    }

    /// Whether a body is JSON by its first character, and not, for example, a web page or a form.
    static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withoutByteOrderMark.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
    }
}
