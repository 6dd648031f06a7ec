import AuthHubPrimitives
import HTTPTypes
import Platform

/// Reads the responses of back-channel endpoints: JSON, or forms if the provider sends them, with errors in any format.
///
/// Only here does a server's response become text that is shown, so the secrets of the request are removed here.
struct ResponseReader {
    /// The request whose response is read.
    let request: BackChannelRequest
    let server: ProviderProfile
    /// The time the response arrived; nil if unknown. Without it, `Retry-After` is read only in seconds.
    var now: Date?

    struct Content {
        var members: JSONObject
        /// The irregularities of an accepted response, as log messages that contain nothing from the response.
        var irregularities: [String] = []
    }

    /// Returns the members of a response that is not an error.
    ///
    /// - Throws: ``OAuthError`` with `.serverRejected` if the response is an error, `.invalidResponse` if its body cannot be read.
    func members(of head: HTTPResponse, body: Secret<[UInt8]>) throws(OAuthError) -> JSONObject {
        try content(head, body: body).members
    }

    /// Reads a response that is not an error, and lists its irregularities.
    func content(_ head: HTTPResponse, body: Secret<[UInt8]>) throws(OAuthError) -> Content {
        if head.status.kind == .redirection {
            let target = head.headerFields[.location].flatMap(Origin.init(url:))
            throw OAuthError(
                .invalidResponse,
                "the server redirects the back-channel request\(target.map { " to \(redaction.applied(to: "\($0)"))" } ?? ""); the redirect was not followed"
            )
        }
        let bytes = body.reveal()
        guard bytes.count <= BackChannelRequest.responseLimit else {
            throw OAuthError(.invalidResponse, "the response is larger than 1 MiB")
        }
        var content: Content
        do {
            content = try read(bytes, head)
        } catch {
            throw failure(head, error)
        }
        let members = content.members
        if let error = ownError(in: members, head: head) ?? errorMember(in: members, head: head) { throw OAuthError(error) }
        guard head.status.kind == .successful else {
            throw failure(head, OAuthError(.invalidResponse, "the response does not contain an OAuth error"))
        }
        if members["error"].map({ $0 != .null }) ?? false {
            content.irregularities.append("the response has an error member without a value")
        }
        return content
    }

    /// Returns the readable members of a rejected body, so that no token in it is lost. The body must begin as JSON, or be a form if the
    /// provider sends forms. Tokens in a web page or a script are ignored, because they may belong to anyone.
    func salvaged(_ head: HTTPResponse, _ body: Secret<[UInt8]>) -> [(name: String, value: JSONValue)] {
        let bytes = body.reveal().prefix(BackChannelRequest.responseLimit)
        if JSONObject.begins(bytes) { return JSONObject.salvagedMembers(of: bytes) }
        var members: [(name: String, value: JSONValue)] = []
        guard isForm(head.headerFields.mediaType) else { return members }
        for pair in bytes.split(separator: UInt8(ascii: "&")).prefix(Self.parameterLimit) {
            guard let parameter = FormParameters(received: pair).parameters.first else { continue }
            members.append((parameter.name, parameter.json))
        }
        return members
    }

    private var redaction: Redaction { request.redaction }

    private func read(_ bytes: [UInt8], _ head: HTTPResponse) throws(OAuthError) -> Content {
        let mediaType = head.headerFields.mediaType
        let isObject = JSONObject.begins(bytes[...])
        let members: JSONObject
        if isForm(mediaType), !isObject {
            members = try readForm(bytes.withoutByteOrderMark)
        } else if mediaType == "text/html", !isObject {
            throw OAuthError(.invalidResponse, "the response is a web page")
        } else {
            members = try JSONObject(bytes, of: "the response")
        }
        return Content(members: members, irregularities: JSONObject.irregularities(of: bytes, mediaType, called: "the response"))
    }

    private func isForm(_ mediaType: String?) -> Bool {
        switch mediaType {
        case "application/x-www-form-urlencoded": server.quirks.responses.encodings.contains(.form)
        case "text/plain": server.quirks.responses.encodings.contains(.formAsPlainText)
        default: false
        }
    }

    private func readForm(_ bytes: ArraySlice<UInt8>) throws(OAuthError) -> JSONObject {
        let form = FormParameters(received: bytes)
        guard form.parameters.count <= Self.parameterLimit else {
            throw OAuthError(.invalidResponse, "the response has more than \(Self.parameterLimit) parameters")
        }
        var members = JSONObject()
        for parameter in form.parameters {
            guard members[parameter.name] == nil else {
                throw OAuthError(.invalidResponse, "the response contains a parameter twice")
            }
            members[parameter.name] = parameter.json
        }
        return members
    }

    /// Returns the error if the response uses one of the provider's own error formats.
    private func ownError(in members: JSONObject, head: HTTPResponse) -> ServerError? {
        for format in server.quirks.responses.errors where !format.needsFailureStatus || head.status.kind != .successful {
            guard let sign = members[format.sign], sign != .null, format.value.map({ $0 == sign }) ?? true else { continue }
            let code: String
            switch members[format.code] {
            case .string(let text) where !text.isEmpty: code = text
            case .number(let number): code = number.text
            default: code = Self.unnamedError
            }
            return error(code, head, in: members, explanation: format.explanation.flatMap { members[$0]?.displayString })
        }
        return nil
    }

    private static let unnamedError = "unnamed_error"

    /// RFC 6749 §5.2: a response with an error member is an error, even if its status is 2xx. If the member is empty, a 2xx response is
    /// still a success.
    private func errorMember(in members: JSONObject, head: HTTPResponse) -> ServerError? {
        let code: String
        switch members["error"] {
        case nil, .null: return nil
        case .string(let text) where !text.isEmpty: code = text
        case .string("") where head.status.kind == .successful, .bool(false) where head.status.kind == .successful,
            .array([]) where head.status.kind == .successful, .object(JSONObject()) where head.status.kind == .successful:
            return nil
        default: code = Self.unnamedError
        }
        return error(
            code, head, in: members, explanation: members["error_description"]?.displayString, uri: members["error_uri"]?.string,
            interval: interval(members["interval"]))
    }

    /// The error with its standard code, and without the secrets that it repeats from the request or from the same response.
    private func error(
        _ code: String, _ head: HTTPResponse, in members: JSONObject, explanation: String?, uri: String? = nil, interval: Int? = nil
    ) -> ServerError {
        ServerError(
            told: code, explanation: explanation, uri: uri,
            without: request.redaction(andIssuedIn: members, server.quirks.responses), status: Int(head.status.code),
            retryAfter: retryAfter(head), interval: interval
        ) { Self.verdict(server.quirks.responses.errorCodes[code] ?? $0, with: head.status) }
    }

    /// A server that is overloaded or fails has not evaluated the request, even if the body says otherwise (RFC 9110 §15.6, RFC 6585 §4).
    /// In such a body, only codes that ask the client to wait count.
    private static func verdict(_ code: ServerErrorCode, with status: HTTPResponse.Status) -> ServerErrorCode {
        guard let decided = decision(by: status) else { return code }
        let patient: Set<ServerErrorCode> = [.authorizationPending, .slowDown, .temporarilyUnavailable, .serverError]
        return patient.contains(code) ? code : decided
    }

    /// The error code that a status implies; nil if the body decides.
    private static func decision(by status: HTTPResponse.Status) -> ServerErrorCode? {
        switch status.code {
        case 429, 503: .temporarilyUnavailable
        case 500...: .serverError
        default: nil
        }
    }

    /// Reads the poll interval, which is a string in a form.
    private func interval(_ value: JSONValue?) -> Int? {
        (value?.number?.int64 ?? value?.string.flatMap { Int64(digits: $0, atMost: 1 << 31) }).flatMap(Int.init(exactly:))
    }

    /// Returns the error that the status implies, for a body without one (RFC 6749 §5.2 for 401 with a challenge).
    private func failure(_ head: HTTPResponse, _ error: OAuthError) -> OAuthError {
        let status = Int(head.status.code)
        switch head.status.kind {
        case .successful:
            return OAuthError(
                .invalidResponse, "\(error.explanation) (HTTP \(status), \(shownMediaType(of: head)))",
                underlying: error.underlying)
        case .clientError where status == 401 && head.headerFields[.wwwAuthenticate] != nil:
            return OAuthError(ServerError(code: .invalidClient, status: status))
        default:
            if let code = Self.decision(by: head.status) {
                return OAuthError(ServerError(code: code, status: status, retryAfter: retryAfter(head)))
            }
            return OAuthError(
                .invalidResponse, "the server responded \(status) with \(shownMediaType(of: head)) instead of an OAuth error",
                underlying: UnexpectedStatus(code: status))
        }
    }

    private static let parameterLimit = 100

    private func shownMediaType(of head: HTTPResponse) -> String {
        head.headerFields.mediaType.map { redaction.displaying($0, limit: 100) } ?? "no media type"
    }

    private func retryAfter(_ head: HTTPResponse) -> Int? {
        let fields = head.headerFields
        let delay = RetryDelay(fields[values: .retryAfter], sent: fields[values: .date]) { now.map(\.secondsSince1970) }
        return delay.map { Int($0.seconds) }
    }
}

extension FormParameters.Parameter {
    /// The value as that of a JSON member.
    var json: JSONValue { isRepaired ? .repairedString(value) : .string(value) }
}
