import AuthHubPrimitives
import OAuthProtocol

extension ClientMetadata {
    private static let sizeLimit = 256 * 1024

    /// Reads client metadata (RFC 7591 §2) from a file, or from standard input if the path is `-`.
    init(file path: String) throws(Failure) {
        let bytes = try InputFile.contents(of: path, limit: Self.sizeLimit)
        guard let members = (try? JSONValue(strict: bytes.withoutByteOrderMark))?.object else {
            throw .usage("\(path) is not a JSON object", hint: "write a file such as {\"contacts\": [\"me@example.com\"]}")
        }
        self.init(members)
    }
}
