@testable import AuthHubCommand
import Testing

struct TokenFormatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: TokenFormat
        let token: String
        /// nil if the format cannot represent the token.
        let expected: String?

        init(_ testDescription: String, _ format: TokenFormat, _ token: String, _ expected: String?) {
            self.testDescription = testDescription
            self.format = format
            self.token = token
            self.expected = expected
        }
    }

    static let rows = [
        Row("raw", .raw, "a'b", "a'b"),
        Row("header", .header, "a'b\"c\\", "Authorization: Bearer a'b\"c\\"),
        Row("header: a second field", .header, "a\r\nX-Admin: 1", nil),
        Row("header: a line break and a combining character", .header, "a\n\u{301}", nil),
        Row("header: a space", .header, "a b", nil),
        Row("curl: quote and backslash", .curl, #"a"b\c\"#, #"header = "Authorization: Bearer a\"b\\c\\""#),
        Row("curl: another option", .curl, "a\"\noutput = \"/tmp/x", nil),
        Row("netrc", .netrc, "a-b.c_d~e+f/g==", "machine api.example.com login oauth2 password a-b.c_d~e+f/g=="),
        Row("netrc: a second machine", .netrc, "a\nmachine b", nil),
        Row("netrc: quote", .netrc, "\"a", nil),
        Row("netrc: single quote", .netrc, "'a", nil),
        Row("netrc: backslash", .netrc, "a\\", nil),
        Row("netrc: comment", .netrc, "#a", nil),
        Row("env: quote", .env, "a'; id; '", #"export AUTHHUB_TOKEN='a'\''; id; '\'''"#),
        Row("env: variable, command and line break", .env, "$HOME`id`$(id)\n\\", "export AUTHHUB_TOKEN='$HOME`id`$(id)\n\\'"),
        Row("env: quote and a combining character", .env, "a'\u{301}b", "export AUTHHUB_TOKEN='a'\\''\u{301}b'"),
        Row("env: NUL", .env, "a\0b", nil),
        Row("fish: quote and backslash", .fish, #"a'; id; '\"#, #"set -gx AUTHHUB_TOKEN 'a\'; id; \'\\'"#),
        Row("fish: quote and a combining character", .fish, "a'\u{301}", "set -gx AUTHHUB_TOKEN 'a\\'\u{301}'"),
        Row("fish: variable, command and line break", .fish, "$HOME (id)\n", "set -gx AUTHHUB_TOKEN '$HOME (id)\n'"),
        Row("fish: NUL", .fish, "\0", nil),
        Row("PowerShell: quote", .powershell, "a';id;'", "$env:AUTHHUB_TOKEN = 'a'';id;'''"),
        Row("PowerShell: variable and escape", .powershell, "$x`n$(id)", "$env:AUTHHUB_TOKEN = '$x`n$(id)'"),
        Row("PowerShell: a typographic quote, which ends a string", .powershell, "a\u{2019};id;\u{2018}", nil),
        Row("PowerShell: line break", .powershell, "a\nid", nil),
    ]

    @Test(arguments: rows)
    func `quotes the token, or rejects a token that the format cannot represent`(row: Row) {
        do {
            #expect(try row.format.text(row.token, type: "Bearer", host: "api.example.com") == row.expected)
        } catch {
            #expect(row.expected == nil)
            #expect(!error.message.contains(row.token) && !error.hint.contains(row.token))
            #expect(error.code == "not_offered" && error.message.contains("format \(row.format.rawValue)"))
        }
    }

    @Test(arguments: TokenFormat.allCases, ["bearer", "DPoP", "N_A"])
    func `formats that send only the token reject any type except Bearer`(format: TokenFormat, type: String) {
        let isRejected = type != "bearer" && [.header, .curl, .netrc].contains(format)
        do {
            #expect(try format.text("token", type: type).contains("token"))
            #expect(!isRejected)
        } catch {
            #expect(isRejected && error.message.contains("type \(type)"))
        }
    }
}
