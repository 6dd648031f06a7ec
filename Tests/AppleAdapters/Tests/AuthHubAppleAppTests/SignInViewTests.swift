import AuthHubApp
import AuthHubPrimitives
import AuthHubTesting
import AuthenticationServices
import CredentialStorage
import Foundation
import HTTPTypes
import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct SignInViewTests {
        @Test func `the first screen explains the service, the reason and the browser, and offers one button`() throws {
            let tree = try Program(services: Services()).stage.tree
            #expect(tree.all.contains { $0.isHeading && $0.text == "Sign in to GitHub" })
            #expect(tree.has(text: "To list your repositories, the app needs your permission to read them at GitHub."))
            #expect(tree.buttons == ["Sign In"])
            #expect(tree.named("Sign In")?.shortcut == .defaultAction)
            #expect(tree.named("Private window", .toggle)?.isOn == false)
            #expect(tree.named("Private window", .toggle)?.hint == SignInModel.ephemeralBrowserText)
            #expect(tree.named("Service", .picker) == nil)
            #expect(tree.titles == ["AuthHub"])
        }

        @Test func `selects another service by its name`() throws {
            let program = try Program(Program.gitHub, Program.aniList, services: Services())
            let picker = try #require(program.stage.tree.named("Service", .picker))
            #expect(picker.value == "GitHub")
            let aniList = try #require(picker.children.first { $0.name == "AniList" })
            picker.choose?(try #require(aniList.tag))
            #expect(program.stage.tree.named("Service", .picker)?.value == "AniList")
            #expect(program.stage.tree.has(text: "Sign in to AniList"))
        }

        @Test(arguments: [false, true])
        func `the button shows the page, in a private window if wanted`(isPrivate: Bool) async throws {
            let program = try Program(services: Services(repositoryCount: 2))
            if isPrivate { program.press("Private window", .toggle) }
            program.press("Sign In")
            let shown = try #require(await program.nextWindow())
            #expect(shown.isEphemeral == isPrivate)
            #expect(shown.window.url.absoluteString.hasPrefix("https://github.com/login/oauth/authorize?"))
            let waiting = await program.stage.until(text: "Waiting for you in the browser…")
            #expect(waiting.buttons == ["Cancel"])
            #expect(waiting.named("Cancel")?.shortcut == .cancelAction)
            #expect(waiting.named("Private window", .toggle)?.isDisabled == true)
            try program.consent(in: shown.window)
            let arrived = await program.stage.until { $0.offersSignOut }
            #expect(arrived.titles == ["Mona"])
        }

        @Test func `Cancel closes the page, and the button returns`() async throws {
            let program = try Program(services: Services())
            program.press("Sign In")
            let shown = try #require(await program.nextWindow())
            program.press("Cancel")
            await shown.window.untilCancelled()
            program.close(shown.window)
            let tree = await program.stage.until { $0.named("Sign In") != nil }
            #expect(!tree.has(text: "You closed the sign-in page."))
        }

        @Test func `a user who closes the page is told that nothing has changed`() async throws {
            let program = try Program(services: Services())
            program.press("Sign In")
            program.close(try #require(await program.nextWindow()).window)
            let tree = await program.stage.until(text: "You closed the sign-in page.")
            #expect(tree.has(text: "Nothing has changed. You can sign in at any time."))
            #expect(tree.buttons == ["Sign In"])
        }

        @Test func `says why if there is no window to show the page`() async throws {
            let program = try Program(services: Services(), hasWindow: false)
            program.press("Sign In")
            let tree = await program.stage.until(text: "The sign-in page cannot be shown.")
            #expect(tree.texts.contains { $0.contains("here is no window to show the page on") })
        }

        @Test func `a user who is already signed in sees their repositories`() async throws {
            let store = MemoryCredentialStore()
            let before = try Program(services: Services(), store: store)
            _ = try await before.signIn()
            let program = try Program(services: Services(repositoryCount: 2), store: store)
            await program.stage.tree.comeIntoSight()
            #expect(await program.stage.until { $0.offersSignOut }.titles == ["Mona"])
        }

        @Test func `a user whose account cannot be requested retries, or signs out`() async throws {
            let services = Services(repositoryCount: 2)
            services.answer("/user", with: .status(.internalServerError))
            let program = try Program(services: services)
            program.press("Sign In")
            try program.consent(in: try #require(await program.nextWindow()).window)
            let tree = await program.stage.until { $0.named("Try Again") != nil }
            #expect(tree.buttons == ["Try Again", "Sign Out"])
            services.answer("/user", with: nil)
            program.press("Try Again")
            #expect(await program.stage.until { $0.named("Sign In") == nil && $0.titles == ["Mona"] }.titles == ["Mona"])
        }

        @Test func `a user whom the service no longer knows signs in again, or signs out`() async throws {
            let services = Services()
            services.answer("/user", with: .json(["message": "Bad credentials"], status: .unauthorized))
            let program = try Program(services: services)
            program.press("Sign In")
            try program.consent(in: try #require(await program.nextWindow()).window)
            let tree = await program.stage.until(text: "GitHub no longer accepts your sign-in.")
            #expect(tree.buttons == ["Sign In Again", "Sign Out"])
        }

        @Test func `shows the activity in progress`() throws {
            let model = try Program(services: Services()).model.signIn
            let tree = Stage(SignInProgress(model: model, activity: .finishing)).tree
            #expect(tree.texts == ["Finishing the sign-in…"])
        }

        @Test func `the user pastes the code that the page shows, and pastes it again if it was rejected`() async throws {
            let program = try Program(Program.aniList, services: Services())
            // The user's own browser shows the page.
            #expect(program.stage.tree.named("Private window", .toggle) == nil)
            program.press("Sign In")
            var tree = await program.stage.until { $0.named("The text from the page", .secureField) != nil }
            await Program.untilOpened("https://anilist.co/api/v2/oauth/authorize?")
            #expect(tree.named("Continue")?.isDisabled == true)
            #expect(tree.has(text: "When you are done, copy the text that the page shows and paste it here."))

            tree.named("The text from the page", .secureField)?.write?("https://elsewhere.example/")
            #expect(program.stage.tree.named("Continue")?.isDisabled == false)
            program.press("Continue")
            tree = await program.stage.until(text: "This is another URL; paste the text that the page shows.")
            let field = try #require(tree.named("The text from the page", .secureField))
            #expect(field.value == "")

            field.write?("a-token-of-plausible-length")
            program.stage.tree.named("The text from the page", .secureField)?.submit?()
            tree = await program.stage.until(text: "mio")
            #expect(tree.buttons == ["Sign Out"])
        }
    }
}
