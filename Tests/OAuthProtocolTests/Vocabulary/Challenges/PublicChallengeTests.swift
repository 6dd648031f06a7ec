import HTTPTypes
import OAuthProtocol
import Testing

/// The public list of header fields derived from Julian Reschke's test cases (through w3ap and oauth4webapi, MIT): inputs and outcomes, in
/// their order; see `docs/checks.md`.
struct PublicChallengeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let number: Int
        let description: String
        let field: String
        let expected: [AuthenticationChallenge]

        var testDescription: String { "RS01 \(number): \(description)" }

        init(_ number: Int, _ description: String, _ field: String, _ expected: AuthenticationChallenge...) {
            self.number = number
            self.description = description
            self.field = field
            self.expected = expected
        }
    }

    private static func scheme(_ name: String, _ parameters: [String: String] = [:]) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: name, parameters: parameters)
    }

    private static func scheme(_ name: String, token68: String) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: name, token68: token68)
    }

    private static let noEqualsSign = "Y2hhbGxlbmdlIHdpdGggYmFzZTY0IGRhdGEgd2l0aG91dCBlcXVhbCBzaWdu"
    private static let oneEqualsSign = "Y2hhbGxlbmdlIHdpdGggYmFzZTY0IGRhdGE="
    private static let twoEqualsSigns = "Y2hhbGxlbmdlIHdpdGggbW9yZSBiYXNlNjQgZGF0YQ=="
    private static let long =
        "YIIB/wYJKoZIhvcSAQICAQBuggHkMIIB4AIBADGCAZowggGWAgEBMIGQMH4xCzAJBgNVBAYTAkJFMRUwEwYDVQQIEwxTb21lLVN0YXRlMRAwDgYDVQQHEwdCcnVzc2Vs"
        + "czEXMBUGA1UEChMOVGVzdCBDb21wYW55LCBJbmMxHDAaBgNVBAMTE1Rlc3QgUm9vdCBDZXJ0aWZpY2F0ZQ=="

    private static let reschke = [
        Row(1, "nothing", ""),
        Row(2, "a comma", ","),
        Row(3, "a comma right behind the scheme", #"Scheme, realm="foo""#),
        Row(4, "differs, RFC 9110 §11.3: a scheme may stand alone", "Scheme", scheme("scheme")),
        Row(5, "differs, RFC 9110 §11.3: two may", "Scheme, DPoP", scheme("scheme"), scheme("dpop")),
        Row(
            6, "differs, RFC 9449 §7.1: one alone in front of one with parameters", #"Scheme, DPoP algs="ES256""#, scheme("scheme"),
            scheme("dpop", ["algs": "ES256"])),
        Row(7, "backslashes in a token", #"Scheme realm=\f\o\o"#),
        Row(8, "a text without its closing quote", #"Scheme realm="basic"#),
        Row(9, "one parameter", #"Scheme realm="foo""#, scheme("scheme", ["realm": "foo"])),
        Row(10, "capitals", #"SCHEME REALM="foo""#, scheme("scheme", ["realm": "foo"])),
        Row(11, "a value without quotes", "Scheme realm=foo", scheme("scheme", ["realm": "foo"])),
        Row(12, "single quotes belong to the value", "Scheme realm='foo'", scheme("scheme", ["realm": "'foo'"])),
        Row(13, "percent escapes stay", #"Scheme realm="foo%20bar""#, scheme("scheme", ["realm": "foo%20bar"])),
        Row(14, "a comma between scheme and parameter", #"Scheme , realm="foo""#, scheme("scheme", ["realm": "foo"])),
        Row(15, "of two of a name the second", #"Scheme realm="foo", realm="bar""#, scheme("scheme", ["realm": "bar"])),
        Row(16, "spaces around the equals sign", #"Scheme realm = "foo""#, scheme("scheme", ["realm": "foo"])),
        Row(17, "escaped quotes", #"Scheme realm="\"foo\"""#, scheme("scheme", ["realm": #""foo""#])),
        Row(
            18, "more parameters, and empty elements between them", #"Scheme realm="foo", bar="xyz",, a=b,,,c=d"#,
            scheme("scheme", ["realm": "foo", "bar": "xyz", "a": "b", "c": "d"])),
        Row(19, "the order does not matter", #"Scheme bar="xyz", realm="foo""#, scheme("scheme", ["bar": "xyz", "realm": "foo"])),
        Row(20, "an empty element in front", #",Scheme realm="basic""#, scheme("scheme", ["realm": "basic"])),
        Row(
            21, "two challenges, a space behind them", #"Newauth realm="apps", type=1, title="Login to \"apps\"", Scheme realm="simple" "#,
            scheme("newauth", ["realm": "apps", "type": "1", "title": #"Login to "apps""#]), scheme("scheme", ["realm": "simple"])),
        Row(
            22, "a value that looks like a parameter", #"Scheme foo="realm=nottherealm", realm="basic""#,
            scheme("scheme", ["foo": "realm=nottherealm", "realm": "basic"])),
        Row(
            23, "a name that ends like another", #"Scheme nottherealm="nottherealm", realm="basic""#,
            scheme("scheme", ["nottherealm": "nottherealm", "realm": "basic"])),
        Row(24, "a token68", "NTLS \(noEqualsSign)", scheme("ntls", token68: noEqualsSign)),
        Row(
            25, "a token68 and a challenge", "NTLS \(noEqualsSign), Scheme realm=\"foobar\"", scheme("ntls", token68: noEqualsSign),
            scheme("scheme", ["realm": "foobar"])),
        Row(26, "a token68 with padding", "NTLS \(oneEqualsSign)", scheme("ntls", token68: oneEqualsSign)),
        Row(
            27, "a token68 with padding, and a challenge", "NTLS \(oneEqualsSign), Scheme realm=\"foobar\"",
            scheme("ntls", token68: oneEqualsSign), scheme("scheme", ["realm": "foobar"])),
        Row(28, "a token68 with more padding", "NTLS \(twoEqualsSigns)", scheme("ntls", token68: twoEqualsSigns)),
        Row(
            29, "a token68 with more padding, and a challenge", "NTLS \(twoEqualsSigns), Scheme realm=\"foobar\"",
            scheme("ntls", token68: twoEqualsSigns), scheme("scheme", ["realm": "foobar"])),
    ]

    private static let later = [
        Row(
            30, "RFC 6750: an error and its description", #"Bearer error="invalid_token", error_description="The access token expired""#,
            scheme("bearer", ["error": "invalid_token", "error_description": "The access token expired"])),
        Row(
            31, "quotes in the description", #"Bearer error="invalid_token", error_description="The token was \"tampered\"""#,
            scheme("bearer", ["error": "invalid_token", "error_description": #"The token was "tampered""#])),
        Row(
            32, "Bearer and Basic", #"Bearer error="invalid_token", error_description="bad stuff", Basic realm="simple""#,
            scheme("bearer", ["error": "invalid_token", "error_description": "bad stuff"]), scheme("basic", ["realm": "simple"])),
        Row(
            33, "Digest, with and without quotes", #"Digest realm="test", qop=auth, nonce="abc123""#,
            scheme("digest", ["realm": "test", "qop": "auth", "nonce": "abc123"])),
        Row(34, "a long token68", "Negotiate \(long)", scheme("negotiate", token68: long)),
        Row(
            35, "spaces everywhere", #"Bearer   realm =   "something"   ,error="bad_token" ,  error_description = " spaced ""#,
            scheme("bearer", ["realm": "something", "error": "bad_token", "error_description": " spaced "])),
        Row(36, "nothing, once more", ""),
        Row(37, "no scheme", #"error="invalid_token""#),
        Row(
            38, "a token68 and Basic", #"Negotiate abc123==, Basic realm="test""#, scheme("negotiate", token68: "abc123=="),
            scheme("basic", ["realm": "test"])),
        Row(39, "an unknown parameter", #"Bearer foobar="baz", scope="read""#, scheme("bearer", ["foobar": "baz", "scope": "read"])),
        Row(40, "a name without a value is a token68", "Bearer error=", scheme("bearer", token68: "error=")),
        Row(41, "a quote that stays open", #"Bearer realm="unclosed"#),
        Row(42, "no equals sign", #"Bearer error"invalid_token""#),
        Row(43, "spaces for a scheme", #"  error="invalid_token", error_description="no scheme""#),
        Row(44, "differs, RFC 9110 §5.6.2: percent signs may be in a name", "%%%%%%%", scheme("%%%%%%%")),
        Row(45, "noise behind a challenge", #"Bearer error="ok", ???"#),
        Row(46, "an escape eats the closing quote", #"Bearer error="bad\escape\""#),
        Row(47, "noise behind a token68", "Negotiate abc== ???"),
        Row(48, "a comma in front", #",Bearer realm="foo""#, scheme("bearer", ["realm": "foo"])),
        Row(49, "a token68 has no parameters", #"Negotiate abc123==, realm="ignored""#),
        Row(
            50, "an escaped backslash", #"Bearer error_description="bad \\ token""#,
            scheme("bearer", ["error_description": #"bad \ token"#])),
        Row(51, "a name twice", #"Bearer error="a", error="b""#, scheme("bearer", ["error": "b"])),
        Row(52, "names in capitals", #"Bearer ERROR="token", Scope="read""#, scheme("bearer", ["error": "token", "scope": "read"])),
        Row(53, "several spaces behind the scheme", #"Basic   realm="spaces""#, scheme("basic", ["realm": "spaces"])),
        Row(54, "a comma at the end", #"Bearer realm="foo","#, scheme("bearer", ["realm": "foo"])),
        Row(
            55, "a token68 between two with parameters", #"Bearer realm="foo", Digest blah==, Basic realm="bar""#,
            scheme("bearer", ["realm": "foo"]), scheme("digest", token68: "blah=="), scheme("basic", ["realm": "bar"])),
    ]

    /// Entries of an older version of the list that are missing in the newer one. The older version also has unescaped quotation marks
    /// inside quotation marks, which are not valid quoted strings here.
    private static let older = [
        Row(
            56, "RFC 7617: a realm and a character set", #"Basic realm="Access to the staging site", charset="UTF-8""#,
            scheme("basic", ["realm": "Access to the staging site", "charset": "UTF-8"])),
        Row(57, "a name with a hyphen and a digit", #"Basic auth-param1="value""#, scheme("basic", ["auth-param1": "value"])),
        Row(
            58, "RFC 7616: a list within quotes", #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256"#,
            scheme("digest", ["realm": "http-auth@example.org", "qop": "auth, auth-int", "algorithm": "SHA-256"])),
        Row(
            59, "comma and equals sign within quotes", #"Newauth realm="apps", title="Login to, apps=asd", type=1"#,
            scheme("newauth", ["realm": "apps", "title": "Login to, apps=asd", "type": "1"])),
    ]

    @Test(arguments: reschke + later + older)
    func `RS01: parses the public list as it says, or as RFC 9110 says`(row: Row) {
        var head = HTTPResponse(status: .unauthorized)
        head.headerFields[.wwwAuthenticate] = row.field
        #expect(AuthenticationChallenge.challenges(of: head) == row.expected)
    }
}
