import HTTPTypes
import OAuthProtocol
import Testing

/// What Auth0's tests say of challenges that ask for a proof of possession, see `docs/peers-tests.md`.
struct ChallengeTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        /// nil where no challenge of DPoP names an error.
        let error: String?
        var errorDescription: String?
    }

    /// The challenge alone, in front of another and behind one.
    private static func placed(_ description: String, _ parameters: String, _ error: String, _ text: String? = nil) -> [Row] {
        [
            Row(testDescription: "DP05 Auth0: \(description)", field: "DPoP \(parameters)", error: error, errorDescription: text),
            Row(
                testDescription: "DP05 Auth0: \(description), in front of Bearer",
                field: "DPoP \(parameters), Bearer realm=\"api\", error=\"invalid_token\", error_description=\"not this\"",
                error: error, errorDescription: text),
            Row(
                testDescription: "DP05 Auth0: \(description), behind Bearer",
                field: "Bearer realm=\"api\", error=\"invalid_token\", error_description=\"not this\", DPoP \(parameters)",
                error: error, errorDescription: text),
        ]
    }

    static let rows: [Row] = [
        placed("an error", #"error="use_dpop_nonce""#, "use_dpop_nonce"),
        placed("without quotes", "error=use_dpop_nonce", "use_dpop_nonce"),
        placed("spaces around the sign", #"error = "use_dpop_nonce""#, "use_dpop_nonce"),
        placed("spaces in front of the sign, no quotes", "error =use_dpop_nonce", "use_dpop_nonce"),
        placed("an explanation", #"error="use_dpop_nonce", error_description="a nonce is needed""#, "use_dpop_nonce", "a nonce is needed"),
        placed(
            "an explanation in front", #"error_description="a nonce is needed", error="use_dpop_nonce""#, "use_dpop_nonce",
            "a nonce is needed"),
        placed(
            "an explanation with a comma and an equals sign", #"error="invalid_dpop_proof", error_description="iat=1, too old""#,
            "invalid_dpop_proof", "iat=1, too old"),
        placed("algorithms beside it", #"algs="ES256 PS256", error="invalid_dpop_proof""#, "invalid_dpop_proof"),
        [
            Row(testDescription: "DP04 Auth0: odd case", field: #"dpoP error="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: capitals", field: #"DPOP ERROR="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: small letters", field: "dpop error=use_dpop_nonce", error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: spaces in front", field: #"   DPoP   error="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP05 Auth0: no error", field: #"DPoP algs="ES256""#, error: nil),
            Row(testDescription: "DP05 Auth0: another scheme's alone", field: #"Bearer error="use_dpop_nonce""#, error: nil),
            Row(testDescription: "DP05 Auth0: nothing", field: "", error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: another challenge's error is not this one's",
                field: #"Bearer error="invalid_token", DPoP algs="ES256""#, error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: nor is the next one's",
                field: #"DPoP algs="ES256", Bearer error="invalid_token""#, error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: nor one within an explanation",
                field: #"Bearer error_description="DPoP error=\"use_dpop_nonce\"""#, error: nil),
        ],
    ].flatMap { $0 }

    @Test(arguments: rows)
    func `an error belongs to the challenge that it stands in`(row: Row) {
        var head = HTTPResponse(status: .unauthorized)
        head.headerFields[.wwwAuthenticate] = row.field
        let challenge = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init).first { $0.scheme == .dpop }
        #expect(challenge?.error?.rawValue == row.error)
        #expect(challenge?.errorDescription == row.errorDescription)
    }

    @Test func `Auth0: there are 31 of its rows, and three of ours`() {
        #expect(Self.rows.count { !$0.testDescription.contains("errs") } == 31)
        #expect(Self.rows.count { $0.testDescription.contains("errs") } == 3)
    }
}
