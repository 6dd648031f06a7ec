import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct StepUpRequestTests {
    private func query(_ server: ProviderProfile = plainServer, acrValues: [String] = [], maximumAge: Int? = nil) throws -> FormParameters {
        try AuthorizationRequest(
            to: server, client: client, redirectURI: redirectURI, scope: ["read"], acrValues: acrValues, maximumAge: maximumAge, at: now
        ).query
    }

    @Test func `RFC 9470 §4: requests classes and a maximum age only if they are required`() throws {
        let plain = try query()
        #expect(plain["acr_values"] == nil && plain["max_age"] == nil)
        let query = try query(acrValues: ["urn:gold", "silver"], maximumAge: 0)
        #expect(query["acr_values"] == "urn:gold silver")
        #expect(query["max_age"] == "0")
    }

    @Test func `required classes, and the smaller max_age, replace the profile's parameters`() throws {
        var server = plainServer
        server.authorizationParameters = ["acr_values": "bronze", "max_age": "900", "prompt": "login"]
        #expect(try query(server)["acr_values"] == "bronze")
        let query = try query(server, acrValues: ["gold"], maximumAge: 5)
        #expect(query.values(named: "acr_values") == ["gold"])
        #expect(query.values(named: "max_age") == ["5"])
        #expect(query["prompt"] == "login")
        #expect(try self.query(server, maximumAge: 99_999_999)["max_age"] == "900")
    }

    @Test(arguments: ["-1", "+60", "1.5", "60 ", "", "soon", "99999999999999999999", "٦٠"])
    func `RQ14: rejects a max_age in the profile that is not a number of seconds`(age: String) throws {
        var server = plainServer
        server.authorizationParameters = ["max_age": age]
        let error = #expect(throws: OAuthError.self) { try authorizationRequest(to: server) }
        #expect(error?.code == .misuse)
        server.authorizationParameters = ["max_age": "060"]
        #expect(try authorizationRequest(to: server).pending.maximumAge == 60)
    }

    @Test(arguments: [(["a b"], nil), ([""], nil), (["é"], nil), ([String(repeating: "a", count: 201)], nil), ([], -1)])
    func `classes with spaces, and ages below zero, are misuse`(acrValues: [String], maximumAge: Int?) {
        #expect(
            error { () throws(OAuthError) in
                try AuthorizationRequest(
                    to: plainServer, client: client, redirectURI: redirectURI, scope: [], acrValues: acrValues, maximumAge: maximumAge,
                    at: now)
            }?.code == .misuse)
    }
}
