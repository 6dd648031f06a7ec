import AuthHubPrimitives
import AuthenticationServices
import CredentialStorage
import Foundation
import SwiftUI
import Testing

extension AppTests {
    @MainActor
    struct OpenURLTests {
        @Test func `a URL that the system opens the app with finishes the sign-in of a process that ended`() async throws {
            let (services, store) = (Services(), MemoryCredentialStore())
            let before = try Program(services: services, store: store)
            before.press("Sign In")
            let page = try #require(await before.nextWindow()).window
            let query = URLComponents(url: page.url, resolvingAgainstBaseURL: false)?.queryItems
            let state = try #require(query?.first { $0.name == "state" }?.value)

            let program = try Program(services: services, store: store)
            let open = try #require(program.stage.tree.all.first { $0.open != nil }?.open)
            open(try #require(URL(string: "com.example.app:/callback?code=c&state=forged")))
            await program.stage.until { $0.texts.contains { $0.hasPrefix("The response did not belong to this sign-in at GitHub") } }
            #expect(!services.requests.contains("/login/oauth/access_token"))

            open(try #require(URL(string: "com.example.app:/callback?code=c&state=\(state)")))
            let arrived = await program.stage.until { $0.named("Sign Out Here") != nil }
            #expect(arrived.titles == ["Mona"])
            #expect(services.requests.count { $0 == "/login/oauth/access_token" } == 1)
            before.close(page)
        }
    }
}
