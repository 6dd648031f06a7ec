import AuthHubApp
import AuthHubPrimitives
import AuthHubTesting
import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct ViewerViewTests {
        struct Row: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let page: String
            let link: String?
        }

        @Test(arguments: [
            Row(testDescription: "a page on the web", page: "https://anilist.co/user/mio", link: "https://anilist.co/user/mio"),
            Row(testDescription: "another program", page: "com.example.other:/do", link: nil),
        ])
        func `shows the viewer's name, with a link only to a page on the web`(row: Row) async throws {
            let services = Services()
            services.answer("/", with: .json(["data": ["Viewer": ["id": 7, "name": "mio", "siteUrl": .string(row.page)]]]))
            let program = try Program(Program.aniList, services: services)
            program.press("Sign In")
            await program.stage.until { $0.named("The text from the page", .secureField) != nil }
                .named("The text from the page", .secureField)?.write?("a-token-of-plausible-length")
            program.press("Continue")
            let tree = await program.stage.until { $0.named("Sign Out") != nil }
            #expect(tree.all.contains { $0.isHeading && $0.text == "mio" })
            #expect(tree.named("Your page at AniList", .link)?.value == row.link)
            program.press("Sign Out")
            await program.stage.until(text: "Sign in to AniList")
        }
    }
}
