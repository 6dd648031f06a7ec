import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

/// Masks everything in a message that is not known to be harmless.
///
/// A value is shown only if it is a word of the protocols, a number or URL where one is expected, or something that the tool itself sent in a
/// public parameter, such as the client ID. Then everything that was masked before is removed from what is left, because a server may repeat
/// it in another place.
struct TraceMask: Sendable {
    static let mask = "<masked>"

    /// The values of public parameters that the tool sent.
    private var sent: Set<String> = []
    /// The values that were masked.
    private var secrets: Set<String> = []
    /// The filter for ``secrets``; nil if it must be created. Creating it takes longer than using it.
    private var filter: Redaction?

    private static let longestName = 64
    private static let longestPart = 40
    /// Shorter values would mask parts of ordinary text.
    private static let shortestSecret = 6
    private static let shortestSecretWord = 16
    private static let longestText = 300
}

// MARK: Values

extension TraceMask {
    /// Returns a line without anything that was masked before.
    mutating func clean(_ text: String) -> String {
        let filter = filter ?? Redaction(secrets)
        self.filter = filter
        return filter.applied(to: displayable(text, limit: .max))
    }

    /// Masks a value that the tool sent, and everywhere else from now on.
    private mutating func hide(_ value: String) -> String {
        guard !value.isEmpty else { return "<empty>" }
        if value.utf8.count >= Self.shortestSecret, !sent.contains(value), secrets.insert(value).inserted { filter = nil }
        return Self.mask
    }

    /// Masks a value that the tool received, and everywhere else from now on if it could be a secret: masking ordinary words would make the
    /// trace illegible.
    private mutating func hide(received value: String) -> String {
        let isWord = value.utf8.count < Self.shortestSecretWord && value.utf8.allSatisfy { $0.isASCIILetter && $0 >= 0x60 || $0 == 0x5F }
        return isWord || value.contains(" ") || value.contains("://") ? value.isEmpty ? "<empty>" : Self.mask : hide(value)
    }

    /// Shows a value that the tool sends in a public place.
    private mutating func send(_ value: String) {
        sent.insert(value)
        if secrets.remove(value) != nil { filter = nil }
    }

    private func isPublic(_ value: String) -> Bool { TraceVocabulary.words.contains(value) || sent.contains(value) }

    /// Returns a received value if it is public; of a scope, each part that is.
    private mutating func word(_ text: String, as name: String) -> String {
        guard !isPublic(text) else { return text }
        let parts = text.split(separator: " ").map(String.init)
        guard name == "scope" || parts.allSatisfy(isPublic) else { return hide(received: text) }
        return parts.map { isPublic($0) ? $0 : hide(received: $0) }.joined(separator: " ")
    }

    /// Returns the name of a parameter or member if it looks like one of the protocols.
    private func name(_ text: String) -> String {
        let isName =
            !text.isEmpty && text.utf8.count <= Self.longestName && text.utf8.count(where: \.isASCIIDigit) <= 4
            && text.utf8.allSatisfy { ($0.isASCIILetter && $0 >= 0x60) || $0.isASCIIDigit || "_-.".utf8.contains($0) }
        return isName ? text : Self.mask
    }

    /// Returns a URL that the tool opens: its origin, path and public parameters. Parts of the path that look random are masked.
    mutating func url(_ text: String) -> String {
        url(text) { mask, query in mask.form(query) }
    }

    /// Returns a URL that a server sent, with only the names of its parameters.
    private mutating func url(received text: String) -> String {
        guard !sent.contains(text) else { return text }
        return url(text) { mask, query in query.parameters.map { "\(mask.name($0.name))=\(mask.hide(received: $0.value))" } }
    }

    private mutating func url(_ text: String, _ form: (inout Self, FormParameters) -> [String]) -> String {
        guard let target = RequestTarget(text), let origin = Origin(url: text) else { return hide(received: text) }
        let (path, query) = target.path.halves(at: "?")
        let shown = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            Self.looksRandom(part) ? hide(String(part)) : String(part)
        }.joined(separator: "/")
        // Whether there is a slash at the end matters to the comparison of issuers.
        guard let query else { return origin.description + (shown == "/" && !text.hasSuffix("/") ? "" : shown) }
        let parameters = (try? FormParameters(decoding: query)).map { form(&self, $0) } ?? [hide(String(query))]
        return "\(origin)\(shown)?\(parameters.joined(separator: "&"))"
    }

    private static func looksRandom(_ part: Substring) -> Bool {
        let digits = part.utf8.count(where: \.isASCIIDigit)
        return part.utf8.count > longestPart || (part.utf8.count >= 16 && digits > 0) || part.contains("%") || part.contains("@")
    }
}

// MARK: Messages

extension TraceMask {
    /// Returns the parameters of a request, one string each.
    mutating func form(_ form: FormParameters) -> [String] {
        form.parameters.map { parameter in
            "\(name(parameter.name))=\(requested(parameter.value, as: parameter.name))"
        }
    }

    /// Returns the value of a parameter in a request.
    private mutating func requested(_ value: String, as name: String) -> String {
        guard TraceVocabulary.publicParameters.contains(name) else { return hide(value) }
        if value.contains("://") {
            let shown = url(value)
            if shown == value { send(value) }
            return shown
        }
        guard value.utf8.count <= Self.longestText else { return hide(value) }
        for part in value.split(separator: " ") { send(String(part)) }
        send(value)
        return value
    }

    /// Returns a JSON body of a request.
    mutating func requested(_ value: JSONValue, as name: String = "") -> JSONValue {
        switch value {
        case .string(let text), .repairedString(let text): .string(requested(text, as: name))
        case .number where !TraceVocabulary.publicParameters.contains(name): .string(Self.mask)
        case .array(let values): .array(values.map { requested($0, as: name) })
        case .object(let object): .object(mapped(object) { mask, name, value in mask.requested(value, as: name) })
        case .null, .bool, .number: value
        }
    }

    /// Returns a JSON body of a response from an authorization server.
    mutating func received(_ value: JSONValue, as name: String = "") -> JSONValue {
        switch value {
        case .string(let text) where name == "id_token": idToken(text)
        case .string(let text) where TraceVocabulary.publicURLs.contains(name) || name.hasSuffix("_endpoint"):
            .string(text.contains("://") ? url(received: text) : word(text, as: name))
        case .string(let text), .repairedString(let text): .string(word(text, as: name))
        case .number where !TraceVocabulary.publicNumbers.contains(name): .string(Self.mask)
        case .array(let values): .array(values.map { received($0, as: name) })
        case .object(let object): .object(mapped(object) { mask, name, value in mask.received(value, as: name) })
        case .null, .bool, .number: value
        }
    }

    /// Returns the header and the claims of an ID token, masked like other members, and never its signature.
    private mutating func idToken(_ text: String) -> JSONValue {
        _ = hide(text)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for part in parts { _ = hide(part) }
        guard parts.count == 3 else { return .string(Self.mask) }
        var object = JSONObject()
        for (name, part) in zip(["header", "claims"], parts) {
            let decoded = Base64URL.decode(part).flatMap { try? JSONValue(received: $0) }
            object[name] = decoded.map { received($0) } ?? .string(Self.mask)
        }
        object["signature"] = .string(Self.mask)
        return .object(object)
    }

    private mutating func mapped(_ object: JSONObject, _ change: (inout Self, String, JSONValue) -> JSONValue) -> JSONObject {
        var masked: [(String, JSONValue)] = []
        for member in object.members { masked.append((name(member.name), change(&self, member.name, member.value))) }
        return JSONObject(masked)
    }

    /// Returns the header fields of a request, one line each.
    mutating func requested(_ fields: HTTPFields) -> [String] {
        fields.map { field in
            let name = field.name.canonicalName
            let value = TraceVocabulary.requestFields.contains(name) ? field.value : credential(field)
            return "\(self.name(name)): \(value)"
        }
    }

    /// Masks a field that is not public, except the scheme of a credential.
    private mutating func credential(_ field: HTTPField) -> String {
        let (scheme, rest) = field.value.halves(at: " ")
        guard field.name == .authorization, let rest, TraceVocabulary.words.contains(String(scheme)) else { return hide(field.value) }
        if let decoded = Base64URL.decode(String(rest).base64URL).flatMap({ String(validating: $0, as: UTF8.self) }) {
            // The client ID is public; the secret is form-encoded (RFC 6749 §2.3.1).
            for half in decoded.split(separator: ":", maxSplits: 1).dropFirst() {
                _ = hide((try? FormParameters(decoding: "secret=\(half)"))?["secret"] ?? String(half))
            }
        }
        return "\(scheme) \(hide(String(rest)))"
    }

    /// Returns the header fields of a response, one line each.
    mutating func received(_ head: HTTPResponse) -> [String] {
        head.headerFields.map { field in
            let name = field.name.canonicalName
            let value: String
            if TraceVocabulary.responseFields.contains(name), field.value.utf8.count <= Self.longestText {
                value = field.value
            } else if TraceVocabulary.dateFields.contains(name), Int(field.value) != nil || HTTPDate(field.value, now: 0) != nil {
                value = field.value
            } else if name.contains("ratelimit"), Int(field.value) != nil {
                value = field.value
            } else if field.name == .location {
                value = url(received: field.value)
            } else if field.name == .wwwAuthenticate {
                value = challenges(field)
            } else if field.name == .cacheControl || name == "pragma" {
                value = word(field.value.filter { $0 != "," }, as: "scope")
            } else {
                value = hide(received: field.value)
            }
            return "\(self.name(field.name.canonicalName)): \(value)"
        }
    }

    private mutating func challenges(_ field: HTTPField) -> String {
        let challenges = AuthenticationChallenge.challenges(
            of: HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: field.value]))
        guard !challenges.isEmpty else { return hide(received: field.value) }
        return challenges.map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\(name($0.key))=\(word($0.value, as: $0.key))" }
            return ([word(challenge.scheme, as: "scheme")] + [parameters.joined(separator: ", ")]).joined(separator: " ")
        }.joined(separator: ", ")
    }
}

extension StringProtocol {
    /// Returns what is in front of a character, and what is behind it; nil if it does not occur.
    fileprivate func halves(at separator: Character) -> (SubSequence, SubSequence?) {
        guard let index = firstIndex(of: separator) else { return (self[...], nil) }
        return (self[..<index], self[self.index(after: index)...])
    }

    /// The alphabet of base64url for text in Base64.
    fileprivate var base64URL: String {
        String(map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" })
    }
}
