import AuthHubPrimitives
import HTTPTypes

/// A response of an endpoint.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var body: [UInt8] = []
    /// The authorization response in this response; nil if it is not a callback.
    var callback: CallbackParts?
    /// Encrypts the ID token in the response, after all changes; nil if the ID token is not encrypted.
    var sealIDToken: (@Sendable (String) -> String?)?
    /// Encrypts the whole body, after all changes; nil if the body is not encrypted.
    var sealBody: (@Sendable ([UInt8]) -> String?)?
    /// The forms that are posted to clients before the response is sent.
    var forms: [OutgoingForm] = []
}

extension Answer {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Self {
        Self(status: status, headers: [.contentType: "application/json; charset=utf-8"], body: value.serialized())
    }

    static func form(_ parameters: FormParameters, status: HTTPResponse.Status = .ok) -> Self {
        Self(
            status: status, headers: [.contentType: "application/x-www-form-urlencoded; charset=utf-8"],
            body: Array(parameters.encoded().utf8))
    }

    /// Returns a redirect, always with 303: the client must repeat neither the method of the request nor its body (RFC 9700 §4.12).
    static func redirect(to location: String) -> Self {
        Self(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
    }

    static func notFound(_ message: String = "Not Found") -> Self {
        .json(["message": .string(message)], status: .notFound)
    }

    static func methodNotAllowed(allowed: [HTTPRequest.Method]) -> Self {
        var answer = Self.json(["message": "Method Not Allowed"], status: .methodNotAllowed)
        answer.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        return answer
    }

    /// Returns the response with a ban on caching, as required for tokens (RFC 6749 §5.1).
    func notStored() -> Self {
        var answer = self
        answer.headers[.cacheControl] = "no-store"
        answer.setHeader("Pragma", to: "no-cache")
        return answer
    }
}

extension Answer {
    /// Sets a header field for whose name the type has no constant.
    mutating func setHeader(_ name: String, to value: String) {
        guard let name = HTTPField.Name(name) else { return }
        headers[name] = value
    }
}
