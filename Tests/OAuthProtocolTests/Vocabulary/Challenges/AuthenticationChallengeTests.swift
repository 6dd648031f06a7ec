import HTTPTypes
import OAuthProtocol
import Testing

struct AuthenticationChallengeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [String]
        let expected: [AuthenticationChallenge]

        init(_ description: String, _ fields: String..., is expected: AuthenticationChallenge...) {
            testDescription = description
            self.fields = fields
            self.expected = expected
        }
    }

    private static func challenge(_ scheme: String, _ parameters: [String: String] = [:]) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, parameters: parameters)
    }

    private static func challenge(_ scheme: String, token68: String) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, token68: token68)
    }

    @Test(arguments: [
        Row("one parameter, quoted", #"Basic realm="shop""#, is: challenge("basic", ["realm": "shop"])),
        Row("one parameter, a token", "Basic realm=shop", is: challenge("basic", ["realm": "shop"])),
        Row("single quotes are part of a token", "Basic realm='shop'", is: challenge("basic", ["realm": "'shop'"])),
        Row("names in mixed case", #"BEARER Realm="Shop", SCOPE="A""#, is: challenge("bearer", ["realm": "Shop", "scope": "A"])),
        Row("an empty string", #"Basic realm="""#, is: challenge("basic", ["realm": ""])),
        Row("percent signs are literal", #"Basic realm="a%20b""#, is: challenge("basic", ["realm": "a%20b"])),
        Row("escapes", #"Basic realm="a \"b\" \\ \c""#, is: challenge("basic", ["realm": #"a "b" \ c"#])),
        Row("a comma within quotes", #"Basic realm="a, b=c", x=y"#, is: challenge("basic", ["realm": "a, b=c", "x": "y"])),
        Row("spaces within quotes are kept", #"Basic realm="  a  ""#, is: challenge("basic", ["realm": "  a  "])),
        Row("non-ASCII letters", #"Basic realm="Läden""#, is: challenge("basic", ["realm": "Läden"])),
        Row(
            "spaces around everything", "  Bearer \t realm \t=  \"a\"  ,  scope = b  ",
            is: challenge("bearer", ["realm": "a", "scope": "b"])),
        Row("a comma after the scheme's space", #"Basic , realm="a""#, is: challenge("basic", ["realm": "a"])),
        Row("empty elements", #",, Basic realm="a",, ,x=y,"#, is: challenge("basic", ["realm": "a", "x": "y"])),
        Row("a repeated parameter: the last one counts", #"Basic realm="a", realm="b""#, is: challenge("basic", ["realm": "b"])),
        Row(
            "text that only looks like a parameter", #"Basic title="realm=no", norealm=x, realm=yes"#,
            is: challenge("basic", ["title": "realm=no", "norealm": "x", "realm": "yes"])),
        Row("only a scheme", "Negotiate", is: challenge("negotiate")),
        Row("schemes alone", "Negotiate, Bearer ,DPoP", is: challenge("negotiate"), challenge("bearer"), challenge("dpop")),
        Row(
            "RFC 9449 §7.1: a challenge without parameters before one with", #"Bearer, DPoP algs="ES256 PS256""#, is: challenge("bearer"),
            challenge("dpop", ["algs": "ES256 PS256"])),
        Row(
            "RFC 9110 §11.6.1: two challenges in a field",
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            is: challenge("basic", ["realm": "simple"]),
            challenge("newauth", ["realm": "apps", "type": "1", "title": #"Login to "apps""#])),
        Row(
            "two fields", #"Basic realm="a""#, #"Bearer error="invalid_token""#, is: challenge("basic", ["realm": "a"]),
            challenge("bearer", ["error": "invalid_token"])),
        Row("token68", "Negotiate oY+/_-.~1", is: challenge("negotiate", token68: "oY+/_-.~1")),
        Row("token68 with padding", "Negotiate YWI== ", is: challenge("negotiate", token68: "YWI==")),
        Row("one letter and =, which could be a parameter without a value", "X a=", is: challenge("x", token68: "a=")),
        Row(
            "token68 between others", #"A x=y, B YWI=, C z="1""#, is: challenge("a", ["x": "y"]), challenge("b", token68: "YWI="),
            challenge("c", ["z": "1"])),
        Row(
            "two fields, the first malformed", #"Basic realm="open"#, #"Bearer realm="a""#, is: challenge("bearer", ["realm": "a"])),
        Row(
            "challenges before a malformed one are kept", #"Basic realm="a", Bearer error"b", Digest realm="c""#,
            is: challenge("basic", ["realm": "a"])),
        Row("nothing", ""),
        Row("only a comma", ","),
        Row("a parameter without a scheme", #"error="invalid_token""#),
        Row("the same, with spaces", #"  realm="a", scope=b"#),
        Row("no space after the scheme", #"Basic, realm="a""#),
        Row("an unterminated quoted string", #"Basic realm="a"#),
        Row("an escape at the end", #"Basic realm="a\"#),
        Row("an escaped quote at the end", #"Basic realm="a\""#),
        Row("no equals sign", #"Bearer error"a""#),
        Row("a backslash outside quotes", #"Basic realm=\a"#),
        Row("two values", #"Basic realm="a""b""#),
        Row("a token after a quoted string", #"Basic realm="a" b"#),
        Row("a list without quotes", "Bearer scope=a b"),
        Row("token68 and a parameter", #"Negotiate YWI=, realm="a""#),
        Row("token68 and something else", "Negotiate YWI= ?"),
        Row("leading equals signs", "Negotiate =="),
        Row("noise", "%%/%%"),
        Row("noise after a challenge that could continue", #"Bearer error="a", ???"#),
    ])
    func `RS01: parses challenges by RFC 9110 §11`(row: Row) {
        #expect(AuthenticationChallenge.challenges(of: response(row.fields)) == row.expected)
    }

    @Test func `ignores challenges that are too long or too many`() {
        let many = (0..<40).map { "S\($0)" }.joined(separator: ", ")
        #expect(AuthenticationChallenge.challenges(of: response([many])).map(\.scheme) == (0..<16).map { "s\($0)" })
        #expect(AuthenticationChallenge.challenges(of: response(Array(repeating: "A, B", count: 30))).count == 16)
        let long = "Basic realm=\"\(String(repeating: "a", count: 17 * 1024))\""
        #expect(AuthenticationChallenge.challenges(of: response(["Bearer", long, "DPoP"])).map(\.scheme) == ["bearer"])
        let parameters = (0..<33).map { "p\($0)=v" }
        #expect(AuthenticationChallenge.challenges(of: response(["X " + parameters.joined(separator: ",")])).isEmpty)
        #expect(AuthenticationChallenge.challenges(of: response(["X " + parameters.dropLast().joined(separator: ",")])).count == 1)
    }

    @Test func `parses any field value to its end`() {
        var generator = Numbers(state: 7)
        let pieces = ["Bearer", " ", ",", "=", "\"", "\\", "realm", "a==", "\t", "é", "?", "DPoP ", "x=\"y\"", ", "]
        for _ in 0..<20_000 {
            let field = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for challenge in AuthenticationChallenge.challenges(of: response([field])) {
                #expect(!challenge.scheme.isEmpty && (challenge.token68 == nil || challenge.parameters.isEmpty), "\(field)")
            }
        }
    }

    private func response(_ fields: [String]) -> HTTPResponse {
        var head = HTTPResponse(status: .unauthorized)
        head.headerFields[values: .wwwAuthenticate] = fields
        return head
    }
}

private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
