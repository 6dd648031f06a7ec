import AuthHubPrimitives
public import HTTPTypes

/// An error that says why a response could not be decoded; see ``LoadResponse/decode(_:with:upTo:)``.
///
/// The description is safe to log. It never contains the credential of the request, and contains a part of the body only if the server
/// returned an error status.
public struct ResponseError: Error {
    /// The kind of error; more codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The status is not 2xx.
        public static let unexpectedStatus = Self("unexpected_status")
        /// The body is not the expected JSON; ``ResponseError/underlying`` is the decoder's error, which may quote the body.
        public static let unexpectedBody = Self("unexpected_body")
        /// The body could not be read to its end; ``ResponseError/underlying`` is the ``LoadError``.
        public static let incompleteBody = Self("incomplete_body")
    }

    /// The kind of error.
    public let code: Code
    /// The status of the response.
    public let status: HTTPResponse.Status
    /// The media type of the body in lower case, without parameters, such as `application/json`; nil if the response names none.
    public let mediaType: String?
    /// The first 300 characters of the body if the status is an error, without control characters and the credential of the request; empty
    /// if the status is 2xx.
    public let bodyPrefix: String
    /// Whether the request was sent without the chain's credential because the request's origin is not allowed to receive it.
    public let isCredentialWithheld: Bool
    /// The underlying error; nil if there is none.
    public let underlying: (any Error)?

    init(_ code: Code, _ response: LoadResponse, bodyPrefix: String = "", underlying: (any Error)? = nil) {
        self.code = code
        status = response.status
        mediaType = response.mediaType
        self.bodyPrefix = bodyPrefix
        isCredentialWithheld = response.notes.isCredentialWithheld
        self.underlying = underlying
    }
}

extension ResponseError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension ResponseError: CustomStringConvertible {
    public var description: String {
        var text = "\(code): the server returned \(status.code)"
        if let mediaType { text += " (\(mediaType))" }
        if !bodyPrefix.isEmpty { text += ": \(bodyPrefix)" }
        if let error = underlying as? LoadError { text += ": \(error)" }
        if status == .unauthorized, isCredentialWithheld { text += "; \(LoadResponse.withheldCredentialExplanation)" }
        return text
    }
}

extension LoadResponse {
    /// A possible reason for a 401 if ``ResponseNotes/isCredentialWithheld`` is true.
    package static let withheldCredentialExplanation = "the request was sent without a credential, because none may be sent to its origin"

    fileprivate var mediaType: String? {
        head.headerFields[.contentType].flatMap { field in
            let type = displayable(String(field.prefix { $0 != ";" }), limit: 100).lowercased().filter { $0 != " " }
            return type.isEmpty ? nil : type
        }
    }
}
