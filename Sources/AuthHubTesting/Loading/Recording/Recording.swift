public import HTTPLoading
public import HTTPTypes

/// Exchanges with a server, as they are stored in a file without their secrets.
///
/// ``RecordingTransport`` creates a recording, and ``ReplayingTransport`` responds from it. The file is JSON that is meant for review:
///
/// ```json
/// {
///   "format": "authhub-recording",
///   "version": 1,
///   "exchanges": [
///     {
///       "request": {
///         "method": "POST",
///         "target": "https://example.com/token?tenant=redacted",
///         "fields": [["Accept", "application/json"], ["Authorization", "redacted"]],
///         "body": { "length": 41, "digest": "sha-256 in hexadecimal", "text": "grant_type=refresh_token&refresh_token=redacted" }
///       },
///       "response": { "status": 200, "fields": [["Content-Type", "application/json"]], "body": { "text": "{…}" } }
///     }
///   ]
/// }
/// ```
///
/// A request's body has `length` and `digest` (of the redacted bytes), and `text` if it is JSON or a form; other bodies are not stored. A
/// response's body is `text` if it is UTF-8, otherwise `base64url`. Empty bodies are omitted. If there was no response, `failure` replaces
/// it, with the code of the ``HTTPLoading/LoadError`` as text.
public struct Recording: Sendable, Hashable {
    /// The exchanges in the order in which the requests were sent.
    public var exchanges: [Exchange]

    /// Creates a recording from exchanges that are already redacted.
    public init(exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// The only version of the format that this module reads and writes.
    public static let version: Int64 = 1

    /// A request and its result.
    public struct Exchange: Sendable, Hashable {
        /// The request that was sent, after redaction.
        public var request: Request
        /// The response after redaction, or the reason why there was none.
        public var outcome: Outcome

        /// Creates an exchange from a request and its result, both after redaction.
        public init(request: Request, outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// A request after redaction.
    public struct Request: Sendable, Hashable {
        /// The method, which is recorded as it was sent.
        public var method: HTTPRequest.Method
        /// The URL, or only the path if the request had no more.
        public var target: String
        /// The header fields; values that may not be recorded are replaced with ``Redaction/word``.
        public var fields: HTTPFields
        /// The length and digest of the body, and its text if it is readable.
        public var body: RequestContent

        /// The key that identifies a request: requests with the same key get the same response.
        var key: Key { Key(method: method, target: target, digest: body.digest) }

        struct Key: Sendable, Hashable {
            let method: HTTPRequest.Method
            let target: String
            let digest: String
        }
    }

    /// The recorded facts about a request's body.
    public struct RequestContent: Sendable, Hashable {
        /// The length of the redacted body in bytes.
        public var length: Int
        /// The SHA-256 digest in hexadecimal. It does not hide a short body that can be guessed.
        public var digest: String
        /// The text; nil if the body is neither JSON nor a form.
        public var text: String?
    }

    /// The result of a request.
    public enum Outcome: Sendable, Hashable {
        case response(HTTPResponse, body: [UInt8])
        case failure(LoadError.Code)
    }
}

/// An error while a recording is created, written or read. It contains no part of the recording.
public enum RecordingError: Error, Hashable, Sendable {
    /// The file would contain a secret that the recorder knows, in the exchange with this number, starting with 1. Nothing was written.
    case containsSecret(exchange: Int)
    /// The file cannot be read.
    case unreadable
    /// The file cannot be written. An existing file has not changed.
    case unwritable
    /// The file is not a recording, or is damaged; with the location of the error.
    case malformed(String)
    /// The file has a version that this module does not support.
    case unknownVersion(Int64)
}

extension RecordingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .containsSecret(let exchange): "exchange \(exchange) would contain a secret; remove it with a redaction"
        case .unreadable: "the recording cannot be read"
        case .unwritable: "the recording cannot be written"
        case .malformed(let place): "not a recording, or damaged: \(place)"
        case .unknownVersion(let version):
            "the recording has version \(version) of the format, and this module knows only version \(Recording.version); record it again"
        }
    }
}
