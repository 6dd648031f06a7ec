import HTTPTypes
import OAuthProtocol

/// `WWW-Authenticate` fields, one a line.
enum ChallengeTarget: Target {
    static let name = "challenge"

    static func check(_ input: [UInt8]) throws(Violation) {
        let fields = input.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        let head = response(fields)
        let challenges = AuthenticationChallenge.challenges(of: head)
        let size = head.headerFields[values: .wwwAuthenticate].reduce(0) { $0 + $1.utf8.count }
        try require(challenges.count <= AuthenticationChallenge.countLimit, "there are no more challenges than are taken")
        try require(challenges.reduce(0) { $0 + Self.size($1) } <= size, "challenges hold no more than their fields")
        for challenge in challenges { try check(challenge) }
        if let field = fields.first { try checkQuoted(field) }
        let written = challenges.map(written).joined(separator: ", ")
        if written.utf8.count <= AuthenticationChallenge.sizeLimit {
            try require(AuthenticationChallenge.challenges(of: response([written])) == challenges, "what is written again reads the same")
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
        try require(isName(challenge.scheme), "a scheme is a token of HTTP in lower case")
        try require(challenge.parameters.keys.allSatisfy(isName), "names are tokens of HTTP in lower case")
        try require(challenge.parameters.count <= AuthenticationChallenge.parameterLimit, "parameters are limited")
        try require(challenge.token68 == nil || challenge.parameters.isEmpty, "there is a token68 or there are parameters")
        try require(
            challenge.parameters.values.allSatisfy { $0.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) } },
            "values have no controls")
        guard let token = TokenChallenge(challenge) else { return }
        try require((token.errorDescription?.unicodeScalars.count ?? 0) <= 500, "a description is short")
        try require((token.realm?.unicodeScalars.count ?? 0) <= 200, "a realm is short")
        try require(token.acrValues.count <= 16 && token.algorithms.count <= 32, "lists are short")
        try require(token.maximumAge.map { $0 >= 0 } ?? true, "an age is not below 0")
    }

    private static func check(_ need: StepUpRequirement) throws(Violation) {
        try require(need.scope.names.allSatisfy(Scope.isValid), "names of a needed scope are valid")
        try require(need.covers(need), "a need covers itself")
        try require(need.union(need) == need, "a need adds nothing to itself")
    }

    /// Until the size limit: what takes longer than the input is long is found by the limit of time.
    private static func checkRepeated(_ field: String) throws(Violation) {
        let count = AuthenticationChallenge.sizeLimit / (field.utf8.count + 1)
        let long = response([Array(repeating: field, count: max(count, 1)).joined(separator: ",")])
        try require(
            AuthenticationChallenge.challenges(of: long).count <= AuthenticationChallenge.countLimit,
            "there are no more challenges than are taken of a long field")
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

    /// Byte for byte: a combining mark makes another character of a quotation mark.
    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// Any text comes through a quoted string as it is.
    private static func checkQuoted(_ text: String) throws(Violation) {
        let kept = text.unicodeScalars.filter { $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }
        let value = String(String.UnicodeScalarView(kept))
        let read = AuthenticationChallenge.challenges(of: response(["Bearer realm=\(quoted(value)), Basic"]))
        guard quoted(value).utf8.count < AuthenticationChallenge.sizeLimit - 100 else { return }
        let isSame = read.first?.parameters["realm"]?.utf8.elementsEqual(value.utf8) ?? false
        try require(read.count == 2 && isSame, "a text comes through quotes")
    }
}
