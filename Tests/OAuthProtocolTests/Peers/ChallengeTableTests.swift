import HTTPTypes
import OAuthProtocol
import Testing

/// The cases of Auth0's tests for challenges that demand proof of possession, see `docs/checks.md`.
struct ChallengeTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        /// The expected error; nil if no DPoP challenge names one.
        let error: String?
        var errorDescription: String?
    }

    /// Returns the challenge by itself, before another one, and after another one.
    private static func placed(_ description: String, _ parameters: String, _ error: String, _ text: String? = nil) -> [Row] {
        [
            Row(testDescription: "DP05 Auth0: \(description)", field: "DPoP \(parameters)", error: error, errorDescription: text),
            Row(
                testDescription: "DP05 Auth0: \(description), before Bearer",
                field: "DPoP \(parameters), Bearer realm=\"api\", error=\"invalid_token\", error_description=\"not this\"",
                error: error, errorDescription: text),
            Row(
                testDescription: "DP05 Auth0: \(description), after Bearer",
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
            Row(testDescription: "DP04 Auth0: mixed case", field: #"dpoP error="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: upper case", field: #"DPOP ERROR="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: lower case", field: "dpop error=use_dpop_nonce", error: "use_dpop_nonce"),
            Row(testDescription: "DP04 Auth0: leading spaces", field: #"   DPoP   error="use_dpop_nonce""#, error: "use_dpop_nonce"),
            Row(testDescription: "DP05 Auth0: no error", field: #"DPoP algs="ES256""#, error: nil),
            Row(testDescription: "DP05 Auth0: only another scheme", field: #"Bearer error="use_dpop_nonce""#, error: nil),
            Row(testDescription: "DP05 Auth0: nothing", field: "", error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: the error of another challenge does not belong to this one",
                field: #"Bearer error="invalid_token", DPoP algs="ES256""#, error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: nor does the error of the next one",
                field: #"DPoP algs="ES256", Bearer error="invalid_token""#, error: nil),
            Row(
                testDescription: "DP05 where Auth0 errs: nor does one inside an explanation",
                field: #"Bearer error_description="DPoP error=\"use_dpop_nonce\"""#, error: nil),
        ],
    ].flatMap { $0 }

    @Test(arguments: rows)
    func `an error belongs to the challenge that contains it`(row: Row) {
        var head = HTTPResponse(status: .unauthorized)
        head.headerFields[.wwwAuthenticate] = row.field
        let challenge = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init).first { $0.scheme == .dpop }
        #expect(challenge?.error?.rawValue == row.error)
        #expect(challenge?.errorDescription == row.errorDescription)
    }

    @Test func `Auth0: the table has 31 of its rows and three of ours`() {
        #expect(Self.rows.count { !$0.testDescription.contains("errs") } == 31)
        #expect(Self.rows.count { $0.testDescription.contains("errs") } == 3)
    }
}
