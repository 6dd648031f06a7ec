import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

/// The example challenges of RFC 6750 and RFC 9449.
struct ChallengeVectorTests {
    @Test(.enabled(if: RFCExamples.areHere, RFCExamples.absence))
    func `RS01: parses the challenges of RFC 6750 §3 and RFC 9449 §7 completely`() throws {
        let examples = try RFCExamples.read()
        let read = examples.mapValues { example in
            (example["values"]?.array?.compactMap(\.string) ?? []).map { field in
                var head = HTTPResponse(status: .unauthorized)
                head.headerFields[.wwwAuthenticate] = field
                return AuthenticationChallenge.challenges(of: head)
            }
        }
        #expect(read["rfc6750-3"]?.map { $0.map(\.scheme) } == [["bearer"], ["bearer"]])
        #expect(read["rfc6750-3"]?.last?.first?.parameters["error_description"] == "The access token expired")
        #expect(
            read["rfc9449-7-challenges"]?.map { $0.map(\.scheme) }
                == [["dpop"], ["dpop"], ["bearer", "dpop"], ["bearer", "dpop"], ["bearer", "dpop"]])
        #expect(
            read["rfc9449-7-challenges"]?.map { $0.last?.parameters["algs"] } == ["ES256 PS256", "ES256"]
                + Array(repeating: "ES256 PS256", count: 3))
    }
}
