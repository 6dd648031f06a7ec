public import HTTPLoading
public import HTTPTypes

/// Exchanges with a server as a file keeps them, with their secrets left out.
///
/// ``RecordingTransport`` makes one, ``ReplayingTransport`` answers from it. The file is JSON, to be read and reviewed by people:
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
/// A request's body has `length` and `digest` (of what is left after redaction), and `text` where it is JSON or a form: other bodies
/// are not kept. A response's body is `text` where it is UTF-8, else `base64url`. Either is missing where it is empty. Where no response
/// came, `failure` stands in its place, with the code of the ``HTTPLoading/LoadError`` in words.
public struct Recording: Sendable, Hashable {
    /// In the order the requests were sent.
    public var exchanges: [Exchange]

    public init(exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }

    /// The only version this module writes and reads.
    public static let version: Int64 = 1

    /// One request and what came of it.
    public struct Exchange: Sendable, Hashable {
        public var request: Request
        public var outcome: Outcome

        public init(request: Request, outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// A request after redaction.
    public struct Request: Sendable, Hashable {
        public var method: HTTPRequest.Method
        /// The URL, or the path where the request had no more.
        public var target: String
        public var fields: HTTPFields
        public var body: RequestContent

        /// What a request is found by: another one that shares it is answered alike.
        var key: Key { Key(method: method, target: target, digest: body.digest) }

        struct Key: Sendable, Hashable {
            let method: HTTPRequest.Method
            let target: String
            let digest: String
        }
    }

    /// What is known of a request's body.
    public struct RequestContent: Sendable, Hashable {
        public var length: Int
        /// SHA-256 in hexadecimal; of a short body that could be guessed, it hides nothing.
        public var digest: String
        /// Nil where the body is neither JSON nor a form.
        public var text: String?
    }

    /// What came of a request.
    public enum Outcome: Sendable, Hashable {
        case response(HTTPResponse, body: [UInt8])
        case failure(LoadError.Code)
    }
}

/// Why a recording could not be made, written or read. Holds nothing of it.
public enum RecordingError: Error, Hashable, Sendable {
    /// A secret that the recorder was told of would be in the file, in the exchange of this number, from 1. Nothing was written.
    case containsSecret(exchange: Int)
    /// The file cannot be read.
    case unreadable
    /// The file cannot be written; where there was one, it is as before.
    case unwritable
    /// It is no recording, or a damaged one; with the place.
    case malformed(String)
    /// It was written in a version of the format that this module does not know.
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
