import AuthHubPrimitives

/// Reads one `WWW-Authenticate` field by the grammar of RFC 9110 §11.3, §11.4 and §5.6:
///
///     #challenge,  challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ],  auth-param = token BWS "=" BWS ( token / quoted-string )
///
/// Both lists use the comma, so a name begins a parameter if "=" follows it, and otherwise the next challenge.
struct ChallengeReader {
    private var rest: ArraySlice<UInt8>

    init(_ field: String) {
        rest = Array(field.utf8)[...]
    }

    mutating func readAll() -> [AuthenticationChallenge] {
        var whole: [AuthenticationChallenge] = []
        var open: Draft?
        while true {
            skip { Self.isSpace($0) || $0 == Self.comma }
            if rest.isEmpty { break }
            guard let name = readToken() else { return whole }
            if isAtParameterValue {
                guard var draft = open, let value = readParameterValue(), draft.add(name, value) else { return whole }
                open = draft
            } else {
                if let challenge = open?.challenge { whole.append(challenge) }
                open = nil
                guard let draft = readChallenge(of: name) else { return whole }
                open = draft
            }
        }
        if let challenge = open?.challenge { whole.append(challenge) }
        return whole
    }

    /// A challenge that may get more parameters.
    private struct Draft {
        let scheme: String
        /// RFC 9110 §11.3: parameters need a space behind the scheme.
        var takesParameters = true
        var token68: String?
        var parameters: [String: String] = [:]

        var challenge: AuthenticationChallenge {
            AuthenticationChallenge(scheme: scheme, token68: token68, parameters: parameters)
        }

        mutating func add(_ name: String, _ value: String) -> Bool {
            parameters[name.lowercased()] = value
            return takesParameters && parameters.count <= AuthenticationChallenge.parameterLimit
        }
    }
}

extension ChallengeReader {
    /// Reads the part of a challenge after its scheme, up to the next comma.
    private mutating func readChallenge(of scheme: String) -> Draft? {
        if isAtEndOfElement { return Draft(scheme: scheme, takesParameters: false) }
        guard rest.first.map(Self.isSpace) == true else { return nil }
        skip(Self.isSpace)
        var draft = Draft(scheme: scheme)
        if isAtEndOfElement { return draft }
        if let token68 = readToken68() {
            draft.token68 = token68
            draft.takesParameters = false
            return draft
        }
        guard let name = readToken(), isAtParameterValue, let value = readParameterValue(), draft.add(name, value) else { return nil }
        return draft
    }

    /// Reads a token68, which only the end of the element may follow: `realm="a"` begins like one.
    private mutating func readToken68() -> String? {
        let text = rest.prefix(while: Self.isToken68Character)
        let padding = rest[text.endIndex...].prefix { $0 == Self.equals }
        let behind = rest[padding.endIndex...].drop(while: Self.isSpace)
        guard !text.isEmpty, behind.isEmpty || behind.first == Self.comma else { return nil }
        defer { rest = behind }
        return String(decoding: rest[text.startIndex..<padding.endIndex], as: UTF8.self)
    }

    private var isAtParameterValue: Bool { rest.drop(while: Self.isSpace).first == Self.equals }

    private var isAtEndOfElement: Bool { rest.isEmpty || rest.first == Self.comma }

    private mutating func readParameterValue() -> String? {
        skip(Self.isSpace)
        rest = rest.dropFirst()
        skip(Self.isSpace)
        guard let value = rest.first == Self.quote ? readQuotedString() : readToken() else { return nil }
        skip(Self.isSpace)
        return isAtEndOfElement ? value : nil
    }

    /// RFC 9110 §5.6.4.
    private mutating func readQuotedString() -> String? {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while var byte = rest.popFirst() {
            if byte == Self.quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            guard byte == 0x09 || (byte >= 0x20 && byte != 0x7F) else { return nil }
            text.append(byte)
        }
        return nil
    }

    private mutating func readToken() -> String? {
        let token = rest.prefix(while: \.isHTTPTokenCharacter)
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }
}

extension ChallengeReader {
    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// RFC 9110 §11.2.
    private static func isToken68Character(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~+/".utf8.contains(byte)
    }
}
