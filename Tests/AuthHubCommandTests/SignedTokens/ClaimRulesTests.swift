import Platform
@testable import AuthHubCommand
import AuthHubPrimitives
import Testing

struct ClaimRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let issuer = "https://as.example"

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: JSONValue?
        let rule: TokenRule.Name
        let outcome: TokenRule.Outcome

        init(_ testDescription: String, _ name: String, _ value: JSONValue?, _ rule: TokenRule.Name, _ outcome: TokenRule.Outcome) {
            self.testDescription = testDescription
            self.name = name
            self.value = value
            self.rule = rule
            self.outcome = outcome
        }
    }

    static let rows = [
        Row("the issuer", "iss", "https://as.example", .iss, .ok),
        Row("the issuer with a slash", "iss", "https://as.example/", .iss, .failed),
        Row("no issuer", "iss", nil, .iss, .failed),
        Row("an issuer that is not a string", "iss", ["https://as.example"], .iss, .failed),
        Row("the client", "aud", "app", .aud, .ok),
        Row("ID27: one of several clients, and no azp", "aud", ["other", "app"], .azp, .failed),
        Row("one client, in a list", "aud", ["app"], .aud, .ok),
        Row("another client", "aud", "application", .aud, .failed),
        Row("no client", "aud", nil, .aud, .failed),
        Row("an empty list of clients", "aud", [], .aud, .failed),
        Row("a client that is not a string", "aud", ["app", 1], .aud, .failed),
        Row("issued to the client", "azp", "app", .azp, .ok),
        Row("issued to another client", "azp", "other", .azp, .failed),
        Row("expires later", "exp", 1_800_000_001, .exp, .ok),
        Row("expired within the tolerance", "exp", 1_799_999_971, .exp, .ok),
        Row("expired", "exp", 1_799_999_970, .exp, .failed),
        Row("never expires", "exp", nil, .exp, .failed),
        Row("an expiry that is a string", "exp", "1800000001", .exp, .failed),
        Row("an expiry in the far future", "exp", 9_007_199_254_740_993, .exp, .failed),
        Row("valid since a moment", "nbf", 1_800_000_000, .nbf, .ok),
        Row("valid at once", "nbf", nil, .nbf, .ok),
        Row("not valid yet", "nbf", 1_800_000_031, .nbf, .failed),
        Row("issued now, by a clock that is ahead", "iat", 1_800_000_030, .iat, .ok),
        Row("issued in the future", "iat", 1_800_000_031, .iat, .failed),
        Row("no time of issue", "iat", nil, .iat, .ok),
        Row("a time of issue that is not a number", "iat", true, .iat, .failed),
    ]

    @Test(arguments: rows)
    func `checks each registered claim`(row: Row) throws {
        var claims = JSONObject()
        claims["iss"] = .string(Self.issuer)
        claims["aud"] = "app"
        claims["exp"] = 1_800_003_600
        claims[row.name] = row.value
        let rules = ClaimRules(issuer: Self.issuer, clientID: "app", now: Self.now).validate(claims)
        #expect(rules.first { $0.name == row.rule }?.outcome == row.outcome)
        #expect(rules.filter { $0.name != row.rule }.allSatisfy { $0.outcome == .ok })
    }

    @Test func `a token for several clients must name the one that it was issued to`() {
        var claims = JSONObject()
        claims["aud"] = ["other", "app"]
        claims["azp"] = "app"
        claims["exp"] = 1_800_003_600
        let rules = ClaimRules(issuer: nil, clientID: "app", now: Self.now).validate(claims)
        #expect(rules.filter { [.aud, .azp].contains($0.name) }.map(\.outcome) == [.ok, .ok])
        claims["azp"] = nil
        let others = ClaimRules(issuer: nil, clientID: nil, now: Self.now).validate(claims)
        #expect(others.filter { $0.outcome == .failed }.isEmpty, "without a client ID, the authorized party is not checked")
    }

    @Test(
        arguments: [
            ("no typ", nil, .ok, .ok), ("JWT", "JWT", .ok, .ok), ("a media type, in lower case", "application/jwt", .ok, .ok),
            ("an access token", "at+jwt", .ok, .failed), ("a logout token", "logout+jwt", .ok, .failed),
            ("an access token as a media type", "application/AT+JWT", .ok, .failed), ("another kind", "JOSE", .failed, .failed),
            ("an empty typ", "", .failed, .failed),
        ] as [(String, String?, TokenRule.Outcome, TokenRule.Outcome)])
    func `accepts only the typ of an ID token if a client ID is given`(
        description: String, type: String?, anyToken: TokenRule.Outcome, forClient: TokenRule.Outcome
    ) {
        #expect(ClaimRules(issuer: nil, clientID: nil, now: Self.now).validate(type: type).outcome == anyToken)
        #expect(ClaimRules(issuer: nil, clientID: "app", now: Self.now).validate(type: type).outcome == forClient)
    }

    @Test func `what was not given is not checked, and the rule says so`() {
        var claims = JSONObject()
        claims["exp"] = 1_800_003_600
        let rules = ClaimRules(issuer: nil, clientID: nil, now: Self.now).validate(claims)
        #expect(rules.filter { $0.outcome == .notChecked }.map(\.name) == [.iss, .aud])
        #expect(rules.filter { $0.outcome == .failed }.isEmpty)
    }
}
