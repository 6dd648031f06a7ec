import AuthHubPrimitives
import OAuthProtocol
import Testing

struct CompletedMetadataTests {
    @Test func `DD26: takes a missing endpoint, and the members that describe it, from the second document`() throws {
        let first = try metadata(#"{"revocation_endpoint":"https://as.example/revoke","scopes_supported":["a","b"]}"#)
        let second = try metadata(
            """
            {"userinfo_endpoint":"https://as.example/me","revocation_endpoint":"https://as.example/other",
            "introspection_endpoint":"https://as.example/introspect","introspection_endpoint_auth_methods_supported":["client_secret_post"],
            "code_challenge_methods_supported":["plain"],"scopes_supported":["b","a"]}
            """)
        let both = first.completed(by: second)
        #expect(both.endpoints.userInfo == "https://as.example/me")
        #expect(both.endpoints.introspection == "https://as.example/introspect")
        #expect(both.introspectionEndpointAuthenticationMethods == ["client_secret_post"])
        #expect(both.endpoints.revocation == "https://as.example/revoke", "the first document's value is used")
        #expect(both.codeChallengeMethods == ["plain"], "a member that only the second document has")
        #expect(both.diagnostics.map(\.member) == ["revocation_endpoint"], "and a list has no order")
        #expect(both.diagnostics.map(\.reason) == [.contradicted])
        #expect(both.completed(by: second).diagnostics.count == 1)
    }
}
