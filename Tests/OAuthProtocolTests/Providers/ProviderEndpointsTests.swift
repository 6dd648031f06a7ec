import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct ProviderEndpointsTests {
    @Test(arguments: [
        "/token", "http://as.example/token", "javascript:alert(1)", "https://as.example/token#x", "https://user@as.example/token", "",
    ])
    func `DD09, DD10: an endpoint that is no usable URL counts as missing, and who needs it is told its name`(endpoint: String) throws {
        let body = #"{"issuer":"https://as.example","authorization_endpoint":"https://as.example/a","token_endpoint":"\#(endpoint)"}"#
        let issuer = try Issuer("https://as.example")
        let profile = ProviderProfile.issuer(issuer).applying(
            try ServerMetadata(HTTPResponse(status: .ok), body: Secret(Array(body.utf8)), of: issuer))
        #expect(try profile.url(of: .authorization) == "https://as.example/a")
        let failure = error { () throws(OAuthError) in try profile.url(of: .token) }
        #expect(failure?.code == .configuration)
        #expect(failure?.explanation.contains("token_endpoint") == true)
    }

    @Test func `a profile keeps the endpoints it has, and takes the others from the document`() throws {
        let document = try metadata(#"{"userinfo_endpoint":"https://api.as.example/userinfo"}"#)
        let profile = ProviderProfile.issuer(try Issuer("https://as.example")).applying(document)
        #expect(profile.endpoints?.token == "https://as.example/token")
        #expect(
            profile.tokenOrigins == [
                Origin(scheme: "https", host: "as.example", port: 443), Origin(scheme: "https", host: "api.as.example", port: 443),
            ])
        var own = profile
        own.endpoints?.token = "https://as.example/own"
        #expect(own.applying(document).endpoints?.token == "https://as.example/own")
    }
}
