import ArgumentParser
@testable import AuthHubCommand
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Testing

struct AuthorizationOptionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let claims: String
        let hint: String?

        init(_ testDescription: String, _ claims: String, _ hint: String?) {
            self.testDescription = testDescription
            self.claims = claims
            self.hint = hint
        }
    }

    private static func identity(_ claims: String) throws -> IDToken {
        let claims = #"{"iss":"https://as.example","sub":"248289","aud":"c","iat":1,"exp":2\#(claims)}"#
        return try #require(IDToken(stored: Secret("e30.\(Base64URL.encode(Array(claims.utf8))).c2ln")))
    }

    @Test(arguments: [
        Row("only a subject, which users do not type", "", nil),
        Row("an e-mail address", #","email":"mona@example.com""#, "mona@example.com"),
        Row("a user name goes before an e-mail address", #","email":"mona@example.com","preferred_username":"mona""#, "mona"),
        Row("the server's own hint goes before both", #","login_hint":"O.abc","preferred_username":"mona""#, "O.abc"),
        Row("an empty name is skipped", #","preferred_username":"","email":"mona@example.com""#, "mona@example.com"),
        Row("a name with a line break is skipped", #","preferred_username":"mo\nna","email":"mona@example.com""#, "mona@example.com"),
        Row("a name that is too long is skipped", #","preferred_username":"\#(String(repeating: "m", count: 1001))""#, nil),
        Row("a claim that is not text is skipped", #","preferred_username":["mona"]"#, nil),
    ])
    func `the hint is the name with which the user signs in`(row: Row) throws {
        #expect(try Self.identity(row.claims).loginHint == row.hint)
    }

    @Test func `a hint in the provider's profile is not replaced`() throws {
        let identity = try Self.identity(#","preferred_username":"mona""#)
        let options = PageRequest()
        var profile = ProviderProfile(name: "test", displayName: "Test", issuer: "https://as.example", endpoints: nil)
        #expect(options.signInOptions(after: identity, at: profile).loginHint == "mona")
        profile.authorizationParameters = ["login_hint": "team@example.com"]
        #expect(options.signInOptions(after: identity, at: profile).loginHint == nil)
    }

    @Test func `a command that repeats the options repeats all of them`() throws {
        let words = [
            "--login-hint", "", "--prompt", "login consent", "--max-age", "0", "--acr", "a", "--acr", "b", "--param", "c=d e", "--param",
            "f=",
        ]
        let options = try AuthorizationOptions.parse(words).request
        #expect(options.suffix == " --login-hint '' --prompt 'login consent' --max-age 0 --acr a --acr b --param 'c=d e' --param f=")
        #expect(options.typed == ["--login-hint", "--prompt", "--max-age", "--acr", "--param"])
        #expect(
            options.signInOptions
                == SignInOptions(prompt: "login consent", maximumAge: 0, acrValues: ["a", "b"], parameters: ["c": "d e", "f": ""]))
    }
}
