import HTTPTypes
import OAuthProtocol
import Testing

struct TokenChallengeTests {
    @Test func `RFC 6750 §3: a Bearer challenge says what was wrong, in text that is safe to display`() throws {
        let challenge = try #require(
            challenges(#"Bearer realm="a", error="invalid_token", error_description="it \#u{202E}ended", scope="x y""#).first)
        #expect(challenge.scheme == .bearer)
        #expect(challenge.error == .invalidToken)
        #expect(challenge.errorDescription == "it ended")
        #expect(challenge.realm == "a")
        #expect(challenge.scope == ["x", "y"])
        #expect(challenge.acrValues.isEmpty && challenge.maximumAge == nil && challenge.algorithms.isEmpty)
    }

    @Test func `DP04, DP05: finds a DPoP challenge among others, in any case`() {
        let all = challenges(#"Bearer, dpop error="use_dpop_nonce", algs="ES256 PS256", Basic realm="a""#)
        #expect(all.map(\.scheme) == [.bearer, .dpop])
        #expect(all.last?.error?.rawValue == "use_dpop_nonce")
        #expect(all.last?.algorithms == ["ES256", "PS256"])
        #expect(all.first?.error == nil)
    }

    @Test(arguments: [("0", 0), ("300", 300), ("-1", nil), ("+5", nil), ("5.0", nil), ("", nil), ("99999999999999999999", nil)])
    func `RS06: a maximum age is a number of seconds`(text: String, expected: Int?) {
        #expect(challenges("Bearer max_age=\"\(text)\"").first?.maximumAge == expected)
    }

    @Test func `RS06: classes keep their order, and unusable ones are ignored`() {
        #expect(challenges(#"Bearer acr_values="urn:b  a é""#).first?.acrValues == ["urn:b", "a"])
        let many = (0..<40).map { "c\($0)" }.joined(separator: " ")
        #expect(challenges("Bearer acr_values=\"\(many)\"").first?.acrValues.count == 16)
    }
}

struct AuthorizationNeedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: HTTPResponse.Status
        let fields: [String]
        let expected: StepUpRequirement?

        init(_ description: String, _ status: HTTPResponse.Status, _ fields: String..., is expected: StepUpRequirement?) {
            testDescription = description
            self.status = status
            self.fields = fields
            self.expected = expected
        }
    }

    @Test(arguments: [
        Row(
            "RS05: more scope", .forbidden, #"Bearer error="insufficient_scope", scope="read write""#,
            is: StepUpRequirement(scope: ["read", "write"])),
        Row("RS05: more scope, without naming it", .forbidden, #"Bearer error="insufficient_scope""#, is: StepUpRequirement()),
        Row("RS05: with status 401", .unauthorized, "Bearer error=insufficient_scope, scope=a", is: StepUpRequirement(scope: ["a"])),
        Row(
            "RS06: another authentication class", .unauthorized,
            #"Bearer error="insufficient_user_authentication", acr_values="gold silver""#,
            is: StepUpRequirement(acrValues: ["gold", "silver"])),
        Row(
            "RS06: a more recent authentication", .unauthorized, #"DPoP error="insufficient_user_authentication", max_age=5"#,
            is: StepUpRequirement(maximumAge: 5)),
        Row(
            "RS06: for both schemes", .unauthorized, #"Bearer error="insufficient_user_authentication", max_age=5"#,
            #"DPoP error="insufficient_user_authentication", max_age=3, scope="a""#, is: StepUpRequirement(scope: ["a"], maximumAge: 3)),
        Row(
            "after another challenge", .forbidden, #"Basic realm="x", Bearer error="insufficient_scope", scope="a""#,
            is: StepUpRequirement(scope: ["a"])),
        Row("RS02: another error", .unauthorized, #"Bearer error="invalid_token", scope="a""#, is: nil),
        Row("no error", .unauthorized, #"Bearer scope="a""#, is: nil),
        Row("another scheme", .forbidden, #"Custom error="insufficient_scope""#, is: nil),
        Row("RS10: a malformed challenge", .forbidden, #"Bearer error="insufficient_scope", scope="a"#, is: nil),
        Row("another status", .badRequest, #"Bearer error="insufficient_scope""#, is: nil),
        Row("a success status", .ok, #"Bearer error="insufficient_scope""#, is: nil),
        Row("no challenge", .forbidden, is: nil),
    ])
    func `the error code and status determine what else is needed`(row: Row) {
        var head = HTTPResponse(status: row.status)
        head.headerFields[values: .wwwAuthenticate] = row.fields
        #expect(StepUpRequirement(head) == row.expected)
    }

    @Test func `merges two needs into one`() {
        let one = StepUpRequirement(scope: ["a"], acrValues: ["gold", "silver"], maximumAge: 9)
        let two = StepUpRequirement(scope: ["b"], acrValues: ["silver", "bronze"], maximumAge: 3)
        let both = one.union(two)
        #expect(both == StepUpRequirement(scope: ["a", "b"], acrValues: ["silver"], maximumAge: 3))
        #expect(both.covers(one) && both.covers(two) && !one.covers(two) && !two.covers(one))
        #expect(StepUpRequirement().covers(StepUpRequirement()) && one.covers(StepUpRequirement()) && !StepUpRequirement().covers(one))
        #expect(one.union(StepUpRequirement(acrValues: ["iron"])).acrValues == ["gold", "silver"])
        #expect(!StepUpRequirement().covers(StepUpRequirement(maximumAge: 0)))
    }
}

private func challenges(_ field: String) -> [TokenChallenge] {
    var head = HTTPResponse(status: .unauthorized)
    head.headerFields[.wwwAuthenticate] = field
    return AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init)
}
