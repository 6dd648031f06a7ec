import AuthHubApp
import AuthHubPrimitives
import AuthHubTesting
import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct ViewerViewTests {
        @Test(arguments: [
            ("https://anilist.co/user/mio", "https://anilist.co/user/mio"), ("javascript:alert(1)", nil), ("com.example.other:/do", nil),
            ("", nil),
        ])
        func `the viewer is named, with a link to a page on the web alone`(page: String, link: String?) async throws {
            let services = Services()
            services.answer("/", with: .json(["data": ["Viewer": ["id": 7, "name": "mio", "siteUrl": .string(page)]]]))
            let program = try Program(Program.aniList, services: services)
            program.press("Sign In")
            await program.stage.until { $0.named("What the page shows", .secureField) != nil }
                .named("What the page shows", .secureField)?.write?("a-token")
            program.press("Continue")
            let tree = await program.stage.until { $0.named("Sign Out") != nil }
            #expect(tree.all.contains { $0.isHeading && $0.text == "mio" })
            #expect(tree.named("Page at AniList", .link)?.value == link)
            program.press("Sign Out")
            await program.stage.until(text: "Sign in to AniList")
        }
    }
}
