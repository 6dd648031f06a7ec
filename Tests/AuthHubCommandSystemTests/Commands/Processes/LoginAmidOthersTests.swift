import AsyncHTTPClientTransport
import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import HeadlessBrowsing
import Testing

/// A login that other commands interrupt: the store must match the login's outcome, and must not contain a token that no command can
/// find.
struct LoginAmidOthersTests {
    private func words(_ tool: Tool) throws -> [String] {
        Array(try tool.loginWords().prefix { $0 != "--headless" }) + ["--browser", "none"]
    }

    private func answer(_ url: String) async {
        let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
        // If the login has failed or been terminated, the browser gets an error page or no response.
        try? await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
    }

    /// Starts a login. Its code has been sent, and its tokens are issued only when the held requests are released.
    private func startLogin(holding tool: Tool) async throws -> ChildProcess {
        tool.server.faults.nextTokenResponse(.hold)
        let login = try tool.start(words(tool))
        let url = try #require(await login.signInAddress())
        // The page gets its response when the login has finished.
        Task { await answer(url) }
        await tool.untilLogged(by: login) { $0.tokenRequests(grant: "authorization_code") == 1 }
        return login
    }

    @Test func `a logout while the page is shown ends the login, which says so`() async throws {
        try await Tool.using { tool in
            let login = try tool.start(words(tool) + ["-o", "json"])
            let written = await login.wait { $0.errorText.contains("\n") }
            #expect(try await tool.run("logout").status == 0)
            await answer(String(written.errorText.prefix { !$0.isNewline }))
            let output = await login.end()
            #expect(output.status == 1)
            #expect(output.errorText.contains(#""code":"ended_elsewhere""#), "\(output.errorText)")
            #expect(tool.server.log.tokenRequests() == 0)
            #expect(try await tool.run("status").status == 4)
        }
    }

    enum Disturbance: Sendable, CaseIterable {
        case logout, removal, removalOfTheStore
    }

    @Test(arguments: Disturbance.allCases)
    func `a login whose account is forgotten while its code is exchanged ends, and revokes its tokens`(disturbance: Disturbance)
        async throws
    {
        try await Tool.using { tool in
            let login = try await startLogin(holding: tool)
            switch disturbance {
            case .logout: #expect(try await tool.run("logout").status == 0)
            case .removal: #expect(try await tool.run("accounts", "remove", "default").status == 0)
            case .removalOfTheStore: try FileManager.default.removeItem(atPath: "\(tool.folder.path)/store")
            }
            tool.server.faults.releaseHeldRequests()
            let output = await login.end()
            #expect(output.status == 1, "\(output.errorText)")
            #expect(output.errorText.contains("the account was signed out elsewhere in the meantime"), "\(output.errorText)")
            #expect(tool.server.log.revocations > 0)
            #expect(try await tool.run("status").status == 4)
            #expect(try await tool.records().isEmpty)
            #expect(try await tool.run(tool.loginWords()).status == 0, "the next login is not affected")
        }
    }

    @Test func `a logout while another process is signing in to the stored account again wins`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let login = try await startLogin(holding: tool)
            #expect(try await tool.run("logout").status == 0)
            tool.server.faults.releaseHeldRequests()
            let output = await login.end()
            #expect(output.status == 1, "\(output.errorText)")
            #expect(try await tool.records().isEmpty)
        }
    }

    /// If the process exited when its terminal closed, the tokens issued to it would be lost. The second signal is sent by a program that
    /// passes signals on, such as the terminal's shell, `timeout` or `npm`.
    @Test(arguments: [[SIGINT, SIGINT], [SIGTERM, SIGTERM], [SIGHUP, SIGHUP], [SIGTERM, SIGHUP]])
    func `a login whose code is sent stores the tokens before a signal ends it`(signals: [Int32]) async throws {
        try await Tool.using { tool in
            let login = try await startLogin(holding: tool)
            for signal in signals { login.send(signal) }
            let other = try tool.start(words(tool))
            _ = await other.wait { $0.errorText.contains("waiting for it") }
            tool.server.faults.releaseHeldRequests()
            // If two signals arrive at the same time, the system decides which is first.
            let status = try #require(await login.end().status)
            #expect(signals.contains(status - 128))
            #expect(await other.end().status == 0)
            #expect(tool.server.log.tokenRequests() == 1)
            #expect(try await tool.run("whoami").status == 0)
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: [(SIGINT, "Press Ctrl-C again"), (SIGTERM, "Send SIGTERM again")])
    func `a signal during a refresh says what the tool waits for, and a second one ends it at once`(signal: Int32, told: String)
        async throws
    {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            for isPatient in [true, false] {
                tool.server.faults.next(at: .tokenEndpoint, .hold)
                let count = tool.server.log.tokenRequests()
                let refresh = try tool.start(["refresh"])
                await tool.untilLogged(by: refresh) { $0.tokenRequests() == count + 1 }
                refresh.send(signal)
                let output = await refresh.wait { $0.errorText.contains(told) }
                #expect(output.errorText.contains("so that no token is lost"), "\(output.errorText)")
                #expect(output.ending == nil)
                if !isPatient {
                    refresh.send(signal)
                    #expect(await refresh.end().status == 128 + signal)
                }
                tool.server.faults.releaseHeldRequests()
                if isPatient {
                    #expect(await refresh.end().status == 128 + signal)
                    #expect(try await tool.run("whoami").status == 0, "the new tokens were stored")
                }
            }
        }
    }

    @Test func `nohup keeps the tool running after its terminal closes`() async throws {
        try await Tool.using { tool in
            let login = try ChildProcess(
                "/bin/sh", ["-c", "trap '' HUP; exec \"$0\" \"$@\"", Tool.path] + words(tool), environment: tool.environment)
            let url = try #require(await login.signInAddress())
            login.send(SIGHUP)
            await answer(url)
            #expect(await login.end().status == 0)
        }
    }

    @Test func `of two logins under one label at two servers, the second to finish fails`() async throws {
        try await Tool.using { tool in
            try await Tool.using(.init(persona: .openID)) { elsewhere in
                let first = try tool.start(words(tool))
                let firstURL = try #require(await first.signInAddress())
                let second = try ChildProcess(Tool.path, words(elsewhere), environment: tool.environment)
                let secondURL = try #require(await second.signInAddress())
                await answer(firstURL)
                #expect(await first.end().status == 0)
                await answer(secondURL)
                let output = await second.end()
                #expect(output.status == 1)
                #expect(output.errorText.contains("authhub logout"), "\(output.errorText)")
                #expect(elsewhere.server.log.revocations > 0)
                #expect(try await tool.run("whoami").status == 0)
                #expect(try await tool.store.inventory().accounts.count { !$0.server.hasPrefix("authhub:") } == 1)
            }
        }
    }
}
