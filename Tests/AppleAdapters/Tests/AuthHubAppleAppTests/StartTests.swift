import AuthHub
import AuthHubApp
import AuthHubTesting
import CredentialStorage
import Foundation
import OAuthProtocol
import SwiftUI
import Testing

@testable import AuthHubAppleApp
@testable import AuthHubViews

extension AppTests {
    @MainActor
    struct StartTests {
        private func start(_ files: [String: String]) throws -> Start {
            let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-app-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            return Start(
                settings: folder.path, store: MemoryCredentialStore(), browsers: .ofApple, dependencies: Services().dependencies)
        }

        @Test func `the app starts with the services of its settings, in the order of their file names`() throws {
            let start = try start(["b.json": Program.aniList, "a.json": Program.gitHub, "s": "secret\n", "notes.txt": "no settings"])
            guard case .ready(let model) = start else { throw StartError() }
            #expect(model.signIn.providers.map(\.name) == ["GitHub", "AniList"])
        }

        struct ProblemRow: CustomTestStringConvertible, Sendable {
            let testDescription: String
            var files: [String: String] = [:]
            let text: String
            var buttons: [String] = []
        }

        @Test(arguments: [
            ProblemRow(testDescription: "no file", text: "No service is set up."),
            ProblemRow(
                testDescription: "a broken file", files: ["a.json": "{"], text: "The app's settings cannot be used.",
                buttons: ["Try Again"]),
        ])
        func `without usable settings the window says so, and offers a retry if that may help`(row: ProblemRow) throws {
            guard case .failed(let problem) = try start(row.files) else { throw StartError() }
            #expect(problem.text == row.text)
            var count = 0
            let tree = Stage(StartProblemView(problem) { count += 1 }).tree
            #expect(tree.texts == [problem.text, problem.advice] + row.buttons)
            #expect(tree.buttons == row.buttons)
            tree.named("Try Again")?.press?()
            #expect(count == row.buttons.count)
        }

        struct FolderRow: CustomTestStringConvertible, Sendable {
            let testDescription: String
            var environment: [String: String] = [:]
            let folder: String
        }

        @Test(arguments: [
            FolderRow(testDescription: "the bundle's folder", folder: "/App.app/Resources/Settings"),
            FolderRow(testDescription: "another folder for development", environment: [SettingsFolder.variable: "/mine"], folder: "/mine"),
            FolderRow(
                testDescription: "an empty value counts as none", environment: [SettingsFolder.variable: ""],
                folder: "/App.app/Resources/Settings"),
        ])
        func `finds the folder with the settings`(row: FolderRow) {
            #expect(SettingsFolder.path(environment: row.environment, resources: "/App.app/Resources") == row.folder)
        }

        @Test func `a program without a bundle keeps tokens for as long as it runs`() {
            #expect(Start.store(of: nil) is MemoryCredentialStore)
            #expect(!(Start.store(of: "com.example.app") is MemoryCredentialStore))
        }

        @Test func `finishes work in progress before the system may end the app`() async throws {
            let finished = AsyncStream<Void>.makeStream()
            let go = AsyncStream<Void>.makeStream()
            ForegroundApp.finish = {
                for await _ in go.stream {}
                finished.continuation.finish()
            }
            let before = Program.backgroundTaskCount
            try Program(services: Services()).model.goToBackground()
            #expect(Program.backgroundTaskCount == before + 1)
            go.continuation.finish()
            for await _ in finished.stream {}
            while Program.backgroundTaskCount > before, !Task.isCancelled { await Task.yield() }
        }

        @Test func `a page that the user is busy with stays open when the app enters the background`() async throws {
            let program = try Program(services: Services())
            program.press("Sign In")
            let shown = try #require(await program.nextWindow())
            let before = Program.backgroundTaskCount
            program.model.goToBackground()
            #expect(Program.backgroundTaskCount == before)
            try program.consent(in: shown.window)
            await program.stage.until { $0.offersSignOut }
        }

        @Test func `the app shows its window`() {
            let tree = Stage(AuthHubAppleApp().body).tree
            #expect(tree.titles.contains("AuthHub"))
            #expect(tree.all.contains { !$0.appear.isEmpty })
        }
    }
}

private struct StartError: Error {}
