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
                settings: folder.path, store: MemoryCredentialStore(), browsers: .ofApple, surroundings: Services().surroundings)
        }

        @Test func `the app begins with the services of its settings, in the order of their files' names`() throws {
            let start = try start(["b.json": Program.aniList, "a.json": Program.gitHub, "s": "secret\n", "notes.txt": "no settings"])
            guard case .ready(let model) = start else { throw StartError() }
            #expect(model.signIn.providers.map(\.name) == ["GitHub", "AniList"])
        }

        @Test(
            arguments: [
                ("no file", [:], "No service is set up."), ("a file that is broken", ["a.json": "{"], "The app's settings cannot be used."),
            ] as [(String, [String: String], String)])
        func `without usable settings the window says so`(description: String, files: [String: String], text: String) throws {
            guard case .failed(let problem) = try start(files) else { throw StartError() }
            #expect(problem.text == text)
            let tree = Stage(StartProblemView(problem)).tree
            #expect(tree.texts == [problem.text, problem.advice])
        }

        @Test(
            arguments: [
                ("the bundle's", [:], "/App.app/Resources", "/App.app/Resources/Settings"),
                ("another folder for development", [SettingsFolder.variable: "/mine"], "/App.app/Resources", "/mine"),
                ("empty is none", [SettingsFolder.variable: ""], "/App.app/Resources", "/App.app/Resources/Settings"),
            ] as [(String, [String: String], String?, String)])
        func `where the settings are`(description: String, environment: [String: String], resources: String?, folder: String) {
            #expect(SettingsFolder.path(environment: environment, resources: resources) == folder)
        }

        @Test func `a program without a bundle keeps tokens for as long as it runs`() {
            #expect(Start.store(of: nil) is MemoryCredentialStore)
            #expect(!(Start.store(of: "com.example.app") is MemoryCredentialStore))
        }

        @Test func `what is under way is finished before the system may end the app`() async throws {
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

        @Test func `a page that the person is busy with stays when the app goes to the background`() async throws {
            let program = try Program(services: Services())
            program.press("Sign In")
            let shown = try #require(await program.nextWindow())
            let before = Program.backgroundTaskCount
            program.model.goToBackground()
            #expect(Program.backgroundTaskCount == before)
            try program.consent(in: shown.window)
            await program.stage.until { $0.named("Sign Out") != nil }
        }

        @Test func `the app shows its window`() {
            let tree = Stage(AuthHubAppleApp().body).tree
            #expect(tree.titles.contains("AuthHub"))
            #expect(tree.all.contains { !$0.appear.isEmpty })
        }
    }
}

private struct StartError: Error {}
