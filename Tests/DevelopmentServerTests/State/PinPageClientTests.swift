import Testing

@testable import DevelopmentServer

struct PinPageClientTests {
    @Test func `a redirect URI that is only a path is a page of the server`() throws {
        let state = ServerState(DevelopmentServerConfiguration(persona: .aniList))
        let client = try #require(state.client(id: "1002"))
        #expect(client.redirectURIs == ["\(state.issuer)/api/v2/oauth/pin"])
    }
}
