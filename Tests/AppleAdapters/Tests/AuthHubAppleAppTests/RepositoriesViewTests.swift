import AuthHubApp
import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import SwiftUI
import Testing

@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct RepositoriesViewTests {
        @Test func `reads all pages as their ends come into view, and counts them at the end`() async throws {
            let program = try Program(services: Services(repositoryCount: 237))
            var tree = try await program.signIn()
            #expect(tree.rows.isEmpty)
            for count in [50, 100, 150, 200, 237] {
                await tree.comeIntoSight()
                tree = await program.stage.until { $0.rows.count == count }
            }
            #expect(tree.rows.map(\.label) == (0..<237).map { "octocat/r\($0)" })
            #expect(tree.has(text: "237 repositories"))
            #expect(tree.named("Loading more repositories", .progress) == nil)
            #expect(tree.all.contains { $0.label == "Repositories" })
        }

        @Test func `rows far from the end request nothing, the last ten do`() async throws {
            let services = Services(repositoryCount: 237)
            let program = try Program(services: services)
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until { $0.rows.count == 50 }
            let rows = tree.all.filter { !$0.appear.isEmpty }
            #expect(rows.count == 50)
            for row in rows.prefix(40) { row.appear.forEach { $0() } }
            #expect(program.stage.tree.named("Loading more repositories", .progress) == nil)
            rows[40].appear.forEach { $0() }
            #expect(program.stage.tree.named("Loading more repositories", .progress) != nil)
        }

        @Test func `a row reads its name first, and shows untrusted text unchanged`() async throws {
            let program = try Program(
                services: Services(repositoryCount: 1) { _ in
                    [
                        "id": 1, "full_name": "octocat/**r**", "description": "[%@](https://elsewhere.example)", "private": true,
                        "language": "Swift", "stargazers_count": 1234,
                    ]
                })
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until { !$0.rows.isEmpty }
            let row = try #require(tree.rows.first)
            #expect(row.label == "octocat/**r**")
            #expect(row.value == "[%@](https://elsewhere.example). Private, Swift, 1234 stars, no pushes yet")
            #expect(row.hidesChildren)
            #expect(row.texts == ["octocat/**r**", "[%@](https://elsewhere.example)", "Swift · ★ 1.2k · no pushes yet"])
        }

        @Test func `shows a problem above the list if a page cannot be loaded, and retries the page`() async throws {
            let services = Services(repositoryCount: 70)
            services.answer("/user/repos 2", with: .status(.internalServerError))
            let program = try Program(services: services)
            try await program.signIn().comeIntoSight()
            await program.stage.until { $0.rows.count == 50 }.comeIntoSight()
            var tree = await program.stage.until { $0.named("Try Again") != nil }
            #expect(tree.rows.count == 50)
            #expect(tree.has(text: "GitHub sent an unusable response."))
            services.answer("/user/repos 2", with: nil)
            program.press("Try Again")
            tree = await program.stage.until { $0.rows.count == 70 }
            #expect(tree.named("Try Again") == nil)
        }

        @Test func `if the grant has expired, the problem's button starts a new sign-in`() async throws {
            let services = Services(repositoryCount: 70)
            let program = try Program(services: services)
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until { $0.rows.count == 50 }
            services.answer("/user/repos 2", with: .json(["message": "Bad credentials"], status: .unauthorized))
            await tree.comeIntoSight()
            await program.stage.until { $0.named("Sign In Again") != nil }
            program.press("Sign In Again")
            // The next window is shown after this one has closed: all sessions of a process share one queue.
            program.close(try #require(await program.nextWindow()).window)
        }

        @Test func `pulling the list and the button reload it`() async throws {
            let services = Services(repositoryCount: 2)
            let program = try Program(services: services)
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until { $0.has(text: "2 repositories") }
            let before = services.requests.count
            #expect(tree.all.filter { $0.refresh != nil }.count == 1)
            await tree.all.compactMap(\.refresh).first?()
            #expect(services.requests.count == before + 1)
            #expect(tree.named("Refresh")?.shortcut == KeyboardShortcut("r"))
            let held = HeldAnswer()
            services.answer("/user/repos", with: .held(held))
            program.press("Refresh")
            await program.stage.until { $0.named("Refresh")?.isDisabled == true }
            held.release(.json([Services.repository(5)]))
            #expect(await program.stage.until { $0.rows.count == 1 }.rows.map(\.label) == ["octocat/r5"])
        }

        @Test func `words filter the list, and are looked for on all pages`() async throws {
            let program = try Program(services: Services(repositoryCount: 70))
            try await program.signIn().comeIntoSight()
            var tree = await program.stage.until { $0.rows.count == 50 }
            tree.named("Filter Repositories", .searchField)?.write?("R69")
            tree = program.stage.tree
            #expect(tree.rows.isEmpty && tree.named("Filter Repositories", .searchField)?.value == "R69")
            await tree.comeIntoSight()
            tree = await program.stage.until { !$0.rows.isEmpty }
            #expect(tree.rows.map(\.label) == ["octocat/r69"])
            #expect(await program.stage.until(text: "1 of 70 repositories").has(text: "1 of 70 repositories"))
            tree.named("Filter Repositories", .searchField)?.write?("")
            #expect(program.stage.tree.rows.count == 70)
        }

        @Test func `the menu switches to the account of another service, and back`() async throws {
            let program = try Program(Program.gitHub, Program.aniList, services: Services())
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until(text: "No repositories")
            #expect(tree.named("Main Menu", .menu)?.buttons.first == "Switch to AniList")
            program.press("Switch to AniList")
            #expect(await program.stage.until { $0.named("Sign In") != nil }.has(text: "Sign in to AniList"))
            let picker = try #require(program.stage.tree.named("Service", .picker))
            picker.choose?(try #require(picker.children.first { $0.name == "GitHub" }?.tag))
            #expect(await program.stage.until(text: "No repositories").offersSignOut)
        }

        @Test func `the menu signs out`() async throws {
            let program = try Program(services: Services())
            try await program.signIn().comeIntoSight()
            let tree = await program.stage.until(text: "No repositories")
            #expect(tree.named("Main Menu", .menu)?.buttons == ["Sign Out Here", "Sign Out at GitHub Too"])
            #expect(tree.all.contains { $0.kind == .image && $0.label == "Picture of octocat" })
            program.press("Sign Out Here")
            #expect(await program.stage.until { $0.named("Sign In") != nil }.has(text: "Sign in to GitHub"))
        }
    }
}

extension Node {
    /// The rows of the repository list.
    @MainActor fileprivate var rows: [Node] {
        all.filter { $0.kind == .group && $0.hidesChildren && $0.label != nil }
    }
}
