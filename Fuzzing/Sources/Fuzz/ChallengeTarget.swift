import HTTPTypes
import OAuthProtocol

/// `WWW-Authenticate` fields, one per line.
enum ChallengeTarget: Target {
    static let name = "challenge"

    static func check(_ input: [UInt8]) throws(Violation) {
        let fields = input.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        let head = response(fields)
        let challenges = AuthenticationChallenge.challenges(of: head)
        let size = head.headerFields[values: .wwwAuthenticate].reduce(0) { $0 + $1.utf8.count }
        try require(challenges.count <= AuthenticationChallenge.countLimit, "the number of challenges is limited")
        try require(challenges.reduce(0) { $0 + Self.size($1) } <= size, "challenges are not longer than their fields")
        for challenge in challenges { try check(challenge) }
        if let field = fields.first { try checkQuoted(field) }
        let written = challenges.map(written).joined(separator: ", ")
        if written.utf8.count <= AuthenticationChallenge.sizeLimit {
            try require(
                AuthenticationChallenge.challenges(of: response([written])) == challenges,
                "a value that is serialized and parsed again is the same")
        }
        if let need = StepUpRequirement(head) { try check(need) }
        if let field = fields.first, !field.isEmpty, input.count.isMultiple(of: 8) { try checkRepeated(field) }
    }

    private static func response(_ fields: [String]) -> HTTPResponse {
        var head = HTTPResponse(status: .unauthorized)
        for field in fields { head.headerFields.append(HTTPField(name: .wwwAuthenticate, value: field)) }
        return head
    }

    private static func check(_ challenge: AuthenticationChallenge) throws(Violation) {
        try require(isName(challenge.scheme), "a scheme is an HTTP token in lower case")
        try require(challenge.parameters.keys.allSatisfy(isName), "parameter names are HTTP tokens in lower case")
        try require(challenge.parameters.count <= AuthenticationChallenge.parameterLimit, "the number of parameters is limited")
        try require(challenge.token68 == nil || challenge.parameters.isEmpty, "a challenge does not have both a token68 and parameters")
        try require(
            challenge.parameters.values.allSatisfy { $0.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) } },
            "values contain no control characters")
        guard let token = TokenChallenge(challenge) else { return }
        try require((token.errorDescription?.unicodeScalars.count ?? 0) <= 500, "a description has at most 500 characters")
        try require((token.realm?.unicodeScalars.count ?? 0) <= 200, "a realm has at most 200 characters")
        try require(token.acrValues.count <= 16 && token.algorithms.count <= 32, "the lists of acr_values and algorithms are limited")
        try require(token.maximumAge.map { $0 >= 0 } ?? true, "a maximum age is not negative")
    }

    private static func check(_ need: StepUpRequirement) throws(Violation) {
        try require(need.scope.names.allSatisfy(Scope.isValid), "the names of a required scope are valid")
        try require(need.covers(need), "a requirement covers itself")
        try require(need.union(need) == need, "a requirement combined with itself stays the same")
    }

    /// Repeats the field up to the size limit. The time limit finds parsing that takes more than linear time.
    private static func checkRepeated(_ field: String) throws(Violation) {
        let count = AuthenticationChallenge.sizeLimit / (field.utf8.count + 1)
        let long = response([Array(repeating: field, count: max(count, 1)).joined(separator: ",")])
        try require(
            AuthenticationChallenge.challenges(of: long).count <= AuthenticationChallenge.countLimit,
            "the number of challenges of a long field is limited")
    }

    private static func size(_ challenge: AuthenticationChallenge) -> Int {
        challenge.parameters.reduce(challenge.scheme.utf8.count + (challenge.token68?.utf8.count ?? 0)) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        }
    }

    private static func isName(_ text: String) -> Bool {
        let others = Array("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".utf8)
        return !text.isEmpty && text.utf8.allSatisfy(others.contains)
    }

    private static func written(_ challenge: AuthenticationChallenge) -> String {
        if let token68 = challenge.token68 { return "\(challenge.scheme) \(token68)" }
        let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(quoted(value))"
        }
        return parameters.isEmpty ? challenge.scheme : "\(challenge.scheme) \(parameters.joined(separator: ", "))"
    }

    /// Escapes bytes, not characters: a quotation mark followed by a combining mark is a different character.
    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// Checks that a quoted string is parsed to the original text.
    private static func checkQuoted(_ text: String) throws(Violation) {
        let kept = text.unicodeScalars.filter { $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }
        let value = String(String.UnicodeScalarView(kept))
        let read = AuthenticationChallenge.challenges(of: response(["Bearer realm=\(quoted(value)), Basic"]))
        guard quoted(value).utf8.count < AuthenticationChallenge.sizeLimit - 100 else { return }
        let isSame = read.first?.parameters["realm"]?.utf8.elementsEqual(value.utf8) ?? false
        try require(read.count == 2 && isSame, "a quoted string is parsed to the original text")
    }
}
