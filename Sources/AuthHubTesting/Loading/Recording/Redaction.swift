import AuthHubPrimitives
import HTTPLoading
public import HTTPTypes

/// What of an exchange is left out of a ``Recording``.
///
/// Without further ado: the values of all header fields but those known to be harmless, all values of a query, and in JSON texts and
/// forms all values whose name is one of those that secrets go by. The word `redacted` takes their place. What is left is written,
/// paths above all: look at a recording before you share it.
///
/// A recording is replayed with the redaction it was made with: what is left out is left out of the comparison, too.
public struct Redaction: Sendable {
    /// Names of the header fields whose values are kept. Queries in `Location` and `Link` are treated like those of requests.
    public var keptFields: [HTTPField.Name]
    /// Names whose values in a query are kept, such as `page`.
    public var keptQueryNames: [String]
    /// Names of members and of form parameters whose values are left out, at any depth. Case, `-` and `_` make no difference.
    public var secretNames: [String]
    /// Changes a target after the rules above.
    public var target: @Sendable (String) -> String
    /// Changes a body after the rules above; gets its media type, too.
    public var body: @Sendable (_ body: [UInt8], _ contentType: String?) -> [UInt8]

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

    /// What stands in the place of a value that is left out.
    public static let word = "redacted"

    /// Header fields that say what a message is, and hold no secret.
    public static let harmlessFields: [HTTPField.Name] =
        LogLoader.harmlessFields + [.allow, .cacheControl, .contentLanguage, .eTag, .lastModified, .location, .vary, .wwwAuthenticate]
        + ["Link"].compactMap { HTTPField.Name($0) }

    /// Names by which OAuth, OpenID Connect and common APIs call secrets.
    public static let namesOfSecrets = [
        "access_token", "refresh_token", "id_token", "token", "registration_access_token", "logout_token", "id_token_hint",
        "subject_token", "actor_token", "csrf_token", "session_token", "session", "session_id", "cookie", "authorization",
        "code", "device_code", "user_code", "code_verifier", "state", "nonce", "assertion", "client_assertion", "client_secret",
        "secret", "password", "passwd", "passphrase", "pin", "otp", "credential", "credentials", "api_key", "private_key", "signature",
    ]
}

extension Redaction {
    func redacted(_ head: HTTPRequest, body: [UInt8], contentType: String?) -> Recording.Request {
        let path = redactingQueries(in: head.path ?? "/")
        let url = if let scheme = head.scheme, let authority = head.authority { "\(scheme)://\(authority)\(path)" } else { path }
        let type = head.headerFields[.contentType] ?? contentType
        return Recording.Request(
            method: head.method, target: target(url), fields: redacted(head.headerFields),
            body: Recording.RequestContent(redacted(body, type), text: isReadable(type) ? () : nil))
    }

    func redacted(_ head: HTTPResponse, body: [UInt8]) -> Recording.Outcome {
        var fields = redacted(head.headerFields)
        // They speak of the body as it came; a replay says anew what is true of what is left.
        fields[.contentLength] = nil
        fields[.transferEncoding] = nil
        return .response(HTTPResponse(status: head.status, headerFields: fields), body: redacted(body, head.headerFields[.contentType]))
    }

    private func redacted(_ fields: HTTPFields) -> HTTPFields {
        var redacted = HTTPFields()
        for field in fields {
            let value = keptFields.contains(field.name) ? redactingQueries(in: field.value) : Self.word
            redacted.append(HTTPField(name: field.name, value: value))
        }
        return redacted
    }

    /// Values of each query in a text, from `?` up to what cannot be part of it.
    private func redactingQueries(in text: String) -> String {
        var redacted = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "?") {
            redacted += rest[...mark]
            let query = rest[rest.index(after: mark)...].prefix { !"#<>\" ".contains($0) }
            redacted += query.split(separator: "&", omittingEmptySubsequences: false).map(redactedPair).joined(separator: "&")
            rest = rest[query.endIndex...]
        }
        return redacted + rest
    }

    private func redactedPair(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else {
            // A query that is not made of pairs is one value.
            return pair.isEmpty || keptQueryNames.contains(String(pair)) ? String(pair) : Self.word
        }
        return keptQueryNames.contains(String(pair[..<equals])) ? String(pair) : "\(pair[...equals])\(Self.word)"
    }

    private func redacted(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        body(redactedByName(bytes, contentType), contentType)
    }

    private func redactedByName(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        if isJSON(contentType), let value = try? JSONValue(strict: bytes) { return redacted(value).serialized() }
        if isForm(contentType), let form = try? FormParameters(decoding: String(decoding: bytes, as: UTF8.self)) {
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

    /// Boundaries of multipart bodies are made up anew each time, and would make each body another one.
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
