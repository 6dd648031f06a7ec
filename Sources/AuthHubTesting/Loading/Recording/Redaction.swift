import AuthHubPrimitives
import HTTPLoading
public import HTTPTypes

/// The rules that remove secrets from a ``Recording``.
///
/// By default, these values are removed: all header fields except those known to be harmless, all values in queries and fragments, user
/// information in URLs, and in JSON and forms all values whose names suggest a secret. The word `redacted` replaces each value. It also
/// replaces a body with the media type of JSON or a form that cannot be parsed, for example because it is compressed. Everything else is
/// recorded, including paths, so review a recording before you share it.
///
/// Replay a recording with the same redaction, because redacted values are not compared either.
public struct Redaction: Sendable {
    /// The names of the header fields whose values are recorded. URLs in `Location` and `Link` are redacted like those of requests.
    public var keptFields: [HTTPField.Name]
    /// The names of query parameters whose values are recorded, such as `page`.
    public var keptQueryNames: [String]
    /// The names of JSON members and form parameters whose values are removed, at any depth. Case, `-` and `_` are ignored.
    public var secretNames: [String]
    /// A closure that changes a target after the rules above.
    public var target: @Sendable (String) -> String
    /// A closure that changes a body after the rules above. It also receives the media type.
    public var body: @Sendable (_ body: [UInt8], _ contentType: String?) -> [UInt8]

    /// Creates a redaction. By default, it keeps only ``harmlessFields`` and no query values, and removes the values of ``namesOfSecrets``.
    public init(
        keptFields: [HTTPField.Name] = Redaction.harmlessFields,
        keptQueryNames: [String] = [],
        secretNames: [String] = Redaction.namesOfSecrets,
        target: @escaping @Sendable (String) -> String = { $0 },
        body: @escaping @Sendable (_ body: [UInt8], _ contentType: String?) -> [UInt8] = { body, _ in body }
    ) {
        self.keptFields = keptFields
        self.keptQueryNames = keptQueryNames
        self.secretNames = secretNames
        self.target = target
        self.body = body
    }

    /// The replacement for a removed value.
    public static let word = "redacted"

    /// Header fields that describe a message and contain no secret.
    public static let harmlessFields: [HTTPField.Name] =
        LogLoader.harmlessFields + [.allow, .cacheControl, .contentLanguage, .eTag, .lastModified, .location, .vary, .wwwAuthenticate]
        + ["Link"].compactMap { HTTPField.Name($0) }

    /// The names that OAuth, OpenID Connect and common APIs use for secrets.
    public static let namesOfSecrets = [
        "access_token", "refresh_token", "id_token", "token", "registration_access_token", "logout_token", "id_token_hint",
        "subject_token", "actor_token", "csrf_token", "session_token", "session", "session_id", "cookie", "authorization",
        "code", "device_code", "user_code", "code_verifier", "state", "nonce", "assertion", "client_assertion", "client_secret",
        "verification_uri_complete", "request_uri", "auth_req_id", "auth_token",
        "secret", "password", "passwd", "passphrase", "pin", "otp", "credential", "credentials", "api_key", "private_key", "signature",
    ]
}

extension Redaction {
    func redacted(_ head: HTTPRequest, body: [UInt8], contentType: String?) -> Recording.Request {
        let path = head.path ?? "/"
        let url = if let scheme = head.scheme, let authority = head.authority { "\(scheme)://\(authority)\(path)" } else { path }
        let type = head.headerFields[.contentType] ?? contentType
        return Recording.Request(
            method: head.method, target: target(redactingURLs(in: url)), fields: redacted(head.headerFields),
            body: Recording.RequestContent(redacted(body, type), text: isReadable(type) ? () : nil))
    }

    func redacted(_ head: HTTPResponse, body: [UInt8]) -> Recording.Outcome {
        var fields = redacted(head.headerFields)
        // These fields describe the original body; a replay sets them again for the redacted one.
        fields[.contentLength] = nil
        fields[.transferEncoding] = nil
        return .response(HTTPResponse(status: head.status, headerFields: fields), body: redacted(body, head.headerFields[.contentType]))
    }

    private func redacted(_ fields: HTTPFields) -> HTTPFields {
        var redacted = HTTPFields()
        for field in fields {
            let value = keptFields.contains(field.name) ? redactingURLs(in: field.value) : Self.word
            redacted.append(HTTPField(name: field.name, value: value))
        }
        return redacted
    }

    private func redactingURLs(in text: String) -> String {
        redactingQueries(in: redactingUserInformation(in: text))
    }

    /// Redacts the part before an `@` in each authority.
    private func redactingUserInformation(in text: String) -> String {
        var redacted = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "//")?.upperBound {
            redacted += rest[..<start]
            let authority = Substring(rest[start...].utf8.prefix { !"/?#<>\" ".utf8.contains($0) })
            let host = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { Self.word + authority[$0...] }
            redacted += host ?? String(authority)
            rest = rest[authority.endIndex...]
        }
        return redacted + rest
    }

    /// Redacts the values of each query and fragment, from `?` or `#` to the first character that cannot be part of it.
    private func redactingQueries(in text: String) -> String {
        var redacted = ""
        // Byte by byte, so that no combining mark hides a separator.
        var rest = text.utf8[...]
        while let mark = rest.firstIndex(where: { "?#".utf8.contains($0) }) {
            redacted += String(Substring(rest[...mark]))
            let query = rest[rest.index(after: mark)...].prefix { !"#<>\" ".utf8.contains($0) }
            redacted += query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
                .map { redactedPair(Substring($0)) }.joined(separator: "&")
            rest = rest[query.endIndex...]
        }
        return redacted + String(Substring(rest))
    }

    private func redactedPair(_ pair: Substring) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            // A query without pairs is a single value.
            return pair.isEmpty || keptQueryNames.contains(String(pair)) ? String(pair) : Self.word
        }
        return keptQueryNames.contains(String(pair[..<equals])) ? String(pair) : "\(pair[...equals])\(Self.word)"
    }

    private func redacted(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        body(redactedByName(bytes, contentType), contentType)
    }

    private func redactedByName(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        if let value = try? JSONValue(strict: bytes) {
            let redacted = redacted(value)
            // Servers sometimes forget the media type of JSON.
            if isJSON(contentType) || redacted != value { return redacted.serialized() }
        } else if isJSON(contentType) {
            return Array(Self.word.utf8)
        }
        if isForm(contentType) {
            guard let text = String(validating: bytes, as: UTF8.self), let form = try? FormParameters(decoding: text) else {
                return Array(Self.word.utf8)
            }
            let parameters = form.parameters.map { pair in
                FormParameters.Parameter(name: pair.name, value: isSecret(pair.name) ? Self.word : pair.value)
            }
            return Array(FormParameters(parameters).encoded().utf8)
        }
        return withoutBoundary(bytes, contentType)
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map(redacted))
        case .object(let object):
            var redacted = JSONObject()
            for member in object.members {
                redacted[member.name] = isSecret(member.name) ? .string(Self.word) : self.redacted(member.value)
            }
            return .object(redacted)
        default: return value
        }
    }

    /// Replaces the boundary of a multipart body, which is random and would make each body different.
    private func withoutBoundary(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/"), let start = contentType.firstRange(of: "boundary=") else {
            return bytes
        }
        let boundary = contentType[start.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        return boundary.isEmpty
            ? bytes : bytes.split(separator: Array(boundary.utf8), omittingEmptySubsequences: false).flatMap { $0 + [0] }
    }

    private func isSecret(_ name: String) -> Bool {
        secretNames.contains { Self.plain($0) == Self.plain(name) }
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    private func isReadable(_ contentType: String?) -> Bool { isJSON(contentType) || isForm(contentType) }

    private func isJSON(_ contentType: String?) -> Bool {
        let type = Self.essence(of: contentType)
        return type == "application/json" || type.hasSuffix("+json")
    }

    private func isForm(_ contentType: String?) -> Bool {
        Self.essence(of: contentType) == "application/x-www-form-urlencoded"
    }

    private static func essence(of contentType: String?) -> String {
        (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }
}
