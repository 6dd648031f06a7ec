import AuthHubPrimitives
import HTTPTypes

/// A request with its whole body, independent of the underlying server.
struct IncomingRequest: Sendable {
    let method: HTTPRequest.Method
    /// The host and port in the request.
    let authority: String?
    /// The path without the query, unchanged.
    let path: String
    /// The query without the question mark, unchanged.
    let query: String
    let headers: HTTPFields
    let body: [UInt8]

    init(head: HTTPRequest, body: [UInt8]) {
        let target = head.path ?? "/"
        let end = target.firstIndex(of: "?") ?? target.endIndex
        method = head.method
        authority = head.authority
        path = String(target[..<end])
        query = String(target[end...].dropFirst())
        headers = head.headerFields
        self.body = body
    }
}

extension IncomingRequest {
    /// The query as parameters, or nil if it is not form-encoded.
    var queryParameters: FormParameters? { try? FormParameters(decoding: query) }

    /// The body as parameters, or nil if it is not form-encoded or has another media type.
    var form: FormParameters? {
        guard mediaType == "application/x-www-form-urlencoded", let text = String(validating: body, as: UTF8.self) else { return nil }
        return try? FormParameters(decoding: text)
    }

    /// The body as JSON, or nil if it is not JSON.
    var json: JSONValue? { try? JSONValue(strict: body) }

    private var mediaType: String? {
        headers[.contentType]?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    }

    func header(named name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// Returns the value of a cookie.
    func cookie(named name: String) -> String? {
        let pairs = headers[values: .cookie].joined(separator: ";").split(separator: ";")
        return pairs.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The access token in the `Authorization` header; GitHub also accepts the scheme `token`.
    var bearerToken: String? {
        credentials(scheme: "bearer") ?? credentials(scheme: "token")
    }

    /// The user name and password of HTTP Basic (RFC 7617), still encoded.
    var basicCredentials: (name: String, password: String)? {
        guard let encoded = credentials(scheme: "basic"), let bytes = Self.decodeBase64(encoded),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private func credentials(scheme: String) -> String? {
        guard let header = headers[.authorization], let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == scheme
        else { return nil }
        let credentials = header[space...].drop { $0 == " " }
        return credentials.isEmpty ? nil : String(credentials)
    }

    private static func decodeBase64(_ text: String) -> [UInt8]? {
        let bare = text.prefix { $0 != "=" }
        return Base64URL.decode(String(bare.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
}
