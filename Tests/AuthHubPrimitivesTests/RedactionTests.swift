@testable import AuthHubPrimitives
import Testing

struct RedactionTests {
    private static let secret = #"tGz+v3/J"OkF 0X&é"#

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: String
        let secrets: [String]

        init(_ description: String, _ text: String, _ expected: String, secrets: [String] = [RedactionTests.secret]) {
            testDescription = description
            self.text = text
            self.expected = expected
            self.secrets = secrets
        }
    }

    @Test(arguments: [
        Row("no secret", "invalid refresh token", "invalid refresh token"),
        Row("unchanged", #"invalid: tGz+v3/J"OkF 0X&é."#, "invalid: <redacted>."),
        Row("twice", #"tGz+v3/J"OkF 0X&é tGz+v3/J"OkF 0X&é"#, "<redacted> <redacted>"),
        Row("percent-encoded", "?t=tGz%2Bv3%2FJ%22OkF%200X%26%C3%A9&x", "?t=<redacted>&x"),
        Row("percent-encoded in lower case", "?t=tGz%2bv3%2fJ%22OkF%200X%26%c3%a9&x", "?t=<redacted>&x"),
        Row(
            "percent-encoded after its first 16 bytes", "t=ABCDEFGHIJKLMNOPQRST%2Fuvwxyz%2BTAIL%3D%3D&x", "t=<redacted>&x",
            secrets: ["ABCDEFGHIJKLMNOPQRST/uvwxyz+TAIL==", "ABCDEFGHIJKLMNOPQRST"]),
        Row("every character percent-encoded", "%74%47%7A%2B%76%33%2F%4A%22%4F%6B%46%20%30%58%26%C3%A9", "<redacted>"),
        Row("form-encoded", "t=tGz%2Bv3%2FJ%22OkF+0X%26%C3%A9", "t=<redacted>"),
        Row("escaped as in JSON", #"{"t":"tGz+v3\/J\"OkF 0X&\u00e9"}"#, #"{"t":"<redacted>"}"#),
        Row("escaped for HTML", "<b>tGz&#43;v3/J&quot;OkF 0X&amp;&#xE9;</b>", "<b><redacted></b>"),
        Row("in upper case, as a host name's case may change", #"TGZ+V3/J"OKF 0X&é"#, "<redacted>"),
        Row("its first 16 bytes", #"starts with tGz+v3/J"OkF 0X&..."#, "starts with <redacted>..."),
        Row("its first 12 bytes, which could belong to anything", #"starts with tGz+v3/J"OkF..."#, #"starts with tGz+v3/J"OkF..."#),
        Row("an empty secret", "text", "text", secrets: [""]),
        Row("a secret that starts another", "abcdefgh-ijkl abcdefgh", "<redacted> <redacted>", secrets: ["abcdefgh", "abcdefgh-ijkl"]),
        Row("only a short secret", "the code 42x is unknown", "the code <redacted> is unknown", secrets: ["42x"]),
        Row(
            "a short secret in a word", "server_error in the latest test", "server_error in the latest <redacted>",
            secrets: ["test", "server"]),
        Row("a single letter", "not a grant", "not <redacted> grant", secrets: ["a"]),
        Row("a short secret, encoded", "state=%61%2Bb;", "state=<redacted>;", secrets: ["a+b"]),
        Row("a secret of percent signs", "100%25 of %2541", "100%25 of <redacted>", secrets: ["%41"]),
    ])
    func `ER03: removes a secret from text in every form in which a server may repeat it`(row: Row) {
        #expect(Redaction(row.secrets).applied(to: row.text) == row.expected)
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let unit: String
        var secrets = ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "abcdefghijklmnop", "abcdefghijklmnoq"]
    }

    @Test(arguments: [
        Attack(testDescription: "a secret again and again", unit: "abcdefghijklmnop"),
        Attack(testDescription: "beginnings of a secret that overlap", unit: "a"),
        Attack(testDescription: "one byte less than a beginning that counts", unit: "abcdefghijklmno"),
        Attack(testDescription: "beginnings in percent-encoding", unit: "%61"),
        Attack(testDescription: "beginnings as the longest character references", unit: "&#0000097;"),
        Attack(testDescription: "two encodings in turn", unit: "\\u0061&#x61;"),
        Attack(testDescription: "a secret as long as the text", unit: "ab", secrets: [String(repeating: "ab", count: 1 << 17) + "c"]),
        Attack(
            testDescription: "thousands of secrets with the same beginning", unit: "abcdefghijklmn9",
            secrets: (10_000..<20_000).map { "abcdefghijklmn\($0)" }),
    ])
    func `the work grows with the length of the text, whatever it contains`(attack: Attack) {
        let redaction = Redaction(attack.secrets)
        let steps = [16 * 1024, 256 * 1024].map { length in
            var steps = 0
            let text = String(repeating: attack.unit, count: length / attack.unit.utf8.count)
            _ = redaction.applied(to: text, steps: &steps)
            return steps
        }
        #expect(steps[1] <= 17 * steps[0], "\(steps)")
        #expect(steps[1] <= 40 * 256 * 1024, "\(steps)")
    }

    @Test func `ER03: finds a secret that is truncated, or split by invisible characters`() {
        let redaction = Redaction(["0123456789abcdef"])
        #expect(redaction.displaying("token 01234567\u{200B}89abcdef", limit: 100) == "token <redacted>")
        #expect(redaction.displaying(String(repeating: "x", count: 90) + " 0123456789abcdef", limit: 99).contains("0123") == false)
    }

    @Test func `ER04: removes secrets from strings and names of a JSON value, and nothing else`() {
        let redaction = Redaction(["0123456789abcdef"])
        let value: JSONValue = ["a": ["x 0123456789abcdef", "0123\u{200B}456789abcdef", 7, nil], "0123456789abcdef": "b\u{200B}"]
        let expected: JSONValue = ["a": ["x <redacted>", "<redacted>", 7, nil], "<redacted>": "b\u{200B}"]
        #expect(redaction.applied(to: value) == expected)
    }

    @Test(arguments: [
        ("octocat", "octocat"), ("octo\u{200B}cat", #"octo\u200bcat"#), ("\u{202E}a\n", #"\u202ea\u000a"#), ("abcdefghi", "abcdefgh…"),
    ])
    func `shows invisible characters of untrusted text as escapes`(text: String, shown: String) {
        #expect(escaped(text, limit: 8) == shown)
    }

    @Test(arguments: [
        (Duration.seconds(300), "5 minutes"), (.seconds(90), "90 seconds"), (.seconds(1), "1 second"), (.milliseconds(500), "0.5 seconds"),
    ])
    func `shows a duration in whole units`(duration: Duration, shown: String) {
        #expect(duration.inWords == shown)
    }
}
