import AuthHubPrimitives
import Platform

/// A body that a browser is about to post (`Network.Request`, `postDataEntries` and `postData`). Browsers omit long bodies and files.
struct PostedBody: Sendable, Hashable {
    let secret: Secret<String>

    var bytes: [UInt8] { Array(secret.reveal().utf8) }

    /// Reads the body of a request.
    ///
    /// - Returns: nil if the browser does not report all of it.
    init?(_ request: JSONValue) {
        if let entries = request["postDataEntries"]?.array, !entries.isEmpty {
            var bytes: [UInt8] = []
            for entry in entries {
                guard let text = entry["bytes"]?.string, let part = Data(base64Encoded: text) else { return nil }
                bytes += part
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            secret = Secret(text)
        } else if let text = request["postData"]?.string {
            secret = Secret(text)
        } else {
            return nil
        }
    }
}
