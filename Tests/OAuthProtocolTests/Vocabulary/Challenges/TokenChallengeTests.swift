import HTTPTypes
import OAuthProtocol
import Testing

struct TokenChallengeTests {
    @Test func `RFC 6750 §3: a Bearer challenge says what was wrong, in words that may be shown`() throws {
        let challenge = try #require(
            challenges(#"Bearer realm="a", error="invalid_token", error_description="it \#u{202E}ended", scope="x y""#).first)
        #expect(challenge.scheme == .bearer)
        #expect(challenge.error == .invalidToken)
        #expect(challenge.errorDescription == "it ended")
        #expect(challenge.realm == "a")
        #expect(challenge.scope == ["x", "y"])
        #expect(challenge.acrValues.isEmpty && challenge.maximumAge == nil && challenge.algorithms.isEmpty)
    }

    @Test func `DP04, DP05: a DPoP challenge is seen beside others, in any case`() {
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

    @Test func `RS06: classes keep their order, and unusable ones are left out`() {
        #expect(challenges(#"Bearer acr_values="urn:b  a é""#).first?.acrValues == ["urn:b", "a"])
        let many = (0..<40).map { "c\($0)" }.joined(separator: " ")
        #expect(challenges("Bearer acr_values=\"\(many)\"").first?.acrValues.count == 16)
    }
}

private func challenges(_ field: String) -> [TokenChallenge] {
    var head = HTTPResponse(status: .unauthorized)
    head.headerFields[.wwwAuthenticate] = field
    return AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init)
}
