import AuthHubPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads what the back channel answers: JSON, or a form where the provider sends one; errors in every dress they come in.
struct AnswerReader {
    let server: ProviderProfile
    /// When the answer came; nil where its reader does not say, and then a `Retry-After` is read in seconds only.
    var now: Date?

    /// The members of an answer that is not an error.
    ///
    /// - Throws: ``OAuthError`` with `.serverRejected` for an error, `.invalidResponse` for a body that cannot be read.
    func members(of head: HTTPResponse, body: Secret<[UInt8]>) throws(OAuthError) -> JSONObject {
        if head.status.kind == .redirection {
            let target = head.headerFields[.location].flatMap(Origin.init(url:))
            throw OAuthError(
                .invalidResponse, "the server redirects its back channel\(target.map { " to \($0)" } ?? ""); that is never followed")
        }
        let bytes = body.reveal()
        guard bytes.count <= BackChannelRequest.answerLimit else { throw OAuthError(.invalidResponse, "the answer is larger than 1 MiB") }
        let members: JSONObject
        do {
            members = try read(bytes, as: mediaType(of: head))
        } catch {
            throw failure(head, error)
        }
        if let error = ownError(in: members, head: head) ?? errorMember(in: members, head: head) { throw OAuthError(error) }
        guard head.status.kind == .successful else { throw failure(head, OAuthError(.invalidResponse, "the answer names no error")) }
        return members
    }

    private func read(_ bytes: [UInt8], as mediaType: String?) throws(OAuthError) -> JSONObject {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let encodings = server.habits.answers.encodings
        let isForm =
            switch mediaType {
            case "application/x-www-form-urlencoded": encodings.contains(.form)
            case "text/plain": encodings.contains(.formAsPlainText)
            default: false
            }
        if isForm, first != UInt8(ascii: "{") { return try readForm(bytes) }
        guard mediaType != "text/html" else { throw OAuthError(.invalidResponse, "the answer is a web page") }
        return try JSONObject(bytes, of: "the answer")
    }

    private func readForm(_ bytes: [UInt8]) throws(OAuthError) -> JSONObject {
        guard let text = String(validating: bytes, as: UTF8.self), let form = try? FormParameters(decoding: text) else {
            throw OAuthError(.invalidResponse, "the answer is not form-encoded as it says")
        }
        guard form.parameters.count <= Self.parameterLimit else {
            throw OAuthError(.invalidResponse, "the answer has more than \(Self.parameterLimit) parameters")
        }
        var members = JSONObject()
        for parameter in form.parameters {
            guard members[parameter.name] == nil else {
                throw OAuthError(.invalidResponse, "the answer has a parameter twice")
            }
            members[parameter.name] = .string(parameter.value)
        }
        return members
    }

    /// An error in one of the provider's own dresses.
    private func ownError(in members: JSONObject, head: HTTPResponse) -> ServerError? {
        for dress in server.habits.answers.errors where !dress.needsFailureStatus || head.status.kind != .successful {
            guard let sign = members[dress.sign], sign != .null, dress.value.map({ $0 == sign }) ?? true else { continue }
            let code: String
            switch members[dress.code] {
            case .string(let text) where !text.isEmpty: code = text
            case .number(let number): code = number.text
            default: code = Self.unnamedError
            }
            return ServerError(
                code: server.habits.answers.errorCodes[code] ?? ServerErrorCode(rawValue: code),
                originalCode: code,
                explanation: dress.explanation.flatMap { members[$0]?.string },
                status: Int(head.status.code),
                retryAfter: retryAfter(head))
        }
        return nil
    }

    private static let unnamedError = "unnamed_error"

    /// RFC 6749 §5.2: an error member makes it an error, whatever the status.
    private func errorMember(in members: JSONObject, head: HTTPResponse) -> ServerError? {
        let code: String
        switch members["error"] {
        case nil, .null: return nil
        case .string(let text) where !text.isEmpty: code = text
        default: code = Self.unnamedError
        }
        return ServerError(
            code: server.habits.answers.errorCodes[code] ?? ServerErrorCode(rawValue: code),
            originalCode: code,
            explanation: members["error_description"]?.string,
            uri: members["error_uri"]?.string,
            status: Int(head.status.code),
            retryAfter: retryAfter(head),
            interval: interval(members["interval"]))
    }

    /// A text in a form.
    private func interval(_ value: JSONValue?) -> Int? {
        (value?.number?.int64 ?? value?.string.flatMap { Int64(digits: $0, atMost: 1 << 31) }).flatMap(Int.init(exactly:))
    }

    /// A body that says nothing of an error: the status alone has to do (RFC 6749 §5.2 for 401 with a challenge).
    private func failure(_ head: HTTPResponse, _ error: OAuthError) -> OAuthError {
        let status = Int(head.status.code)
        switch head.status.kind {
        case .successful:
            return OAuthError(
                .invalidResponse, "\(error.explanation) (HTTP \(status), \(mediaType(of: head) ?? "no media type"))",
                underlying: error.underlying)
        case .clientError where status == 401 && head.headerFields[.wwwAuthenticate] != nil:
            return OAuthError(ServerError(code: .invalidClient, status: status))
        case .serverError where status == 503, .clientError where status == 429:
            return OAuthError(ServerError(code: .temporarilyUnavailable, status: status, retryAfter: retryAfter(head)))
        case .serverError:
            return OAuthError(ServerError(code: .serverError, status: status, retryAfter: retryAfter(head)))
        default:
            return OAuthError(
                .invalidResponse, "the server answered \(status) with \(mediaType(of: head) ?? "no media type") instead of an OAuth error")
        }
    }

    private static let parameterLimit = 100

    private func mediaType(of head: HTTPResponse) -> String? {
        head.headerFields[.contentType].map { field in
            let type = field.prefix { $0 != ";" }.lowercased()
            return displayable(String(type.filter { !$0.isWhitespace }), limit: 100)
        }
    }

    private func retryAfter(_ head: HTTPResponse) -> Int? {
        let fields = head.headerFields
        let delay = RetryDelay(fields[values: .retryAfter], sent: fields[values: .date]) { now.map(\.secondsSince1970) }
        return delay.map { Int($0.seconds) }
    }
}
