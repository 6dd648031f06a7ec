import AsyncHTTPClientTransport
import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import HeadlessBrowsing
import Testing

/// Several processes that sign in to the same account at the same time.
struct SharedSignInTests {
    private static let authorizationPath = "/login/oauth/authorize"

    private func words(_ tool: Tool) throws -> [String] {
        Array(try tool.loginWords().prefix { $0 != "--headless" }) + ["--browser", "none"]
    }

    /// Starts one login that shows its page, and others that wait for it.
    private func startLogins(_ count: Int, _ tool: Tool) async throws -> (first: ChildProcess, url: String, others: [ChildProcess]) {
        let first = try tool.start(words(tool))
        let url = try #require(await first.signInAddress())
        let others = try (1..<count).map { _ in try tool.start(words(tool)) }
        for other in others {
            let output = await other.wait { $0.errorText.contains("waiting for it") }
            #expect(output.errorText.contains("process \(first.processID) is signing in"), "\(output.errorText)")
        }
        return (first, url, others)
    }

    private func answer(_ url: String) async throws {
        let filling = FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: false)
        try await HeadlessBrowser(filling: filling, transport: NetworkTransport.shared).open(url)
    }

    @Test(.timeLimit(.minutes(15)))
    func `4 processes that need a sign-in at the same time show one page, and all are signed in`() async throws {
        try await Tool.using { tool in
            let (first, url, others) = try await startLogins(4, tool)
            try await answer(url)
            for process in [first] + others {
                let output = await process.end()
                #expect(output.status == 0, "\(output.errorText)")
            }
            for other in others { #expect(await !other.end().errorText.contains(Self.authorizationPath)) }
            #expect(tool.server.log.tokenRequests(grant: "authorization_code") == 1)
            #expect(tool.server.log.codeReuseDetected == 0)
            #expect(try await tool.run("whoami").status == 0)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `if the process that shows the page is killed, one of the waiting processes shows its own`() async throws {
        try await Tool.using { tool in
            let (first, url, others) = try await startLogins(3, tool)
            first.send(SIGKILL)
            #expect(await first.end().ending == .signal(SIGKILL))
            let next = try #require(await firstToShow(others))
            #expect(next.url != url)
            try await answer(next.url)
            for process in others {
                let output = await process.end()
                #expect(output.status == 0, "\(output.errorText)")
            }
            #expect(tool.server.log.tokenRequests(grant: "authorization_code") == 1)
            #expect(try await tool.run("whoami").status == 0)
        }
    }

    /// Returns the first process that shows its page; nil if all of them exited without one.
    private func firstToShow(_ processes: [ChildProcess]) async -> (process: ChildProcess, url: String)? {
        let (pages, continuation) = AsyncStream<(ChildProcess, String?)>.makeStream()
        for process in processes {
            Task { continuation.yield((process, await process.signInAddress())) }
        }
        var running = processes.count
        for await (process, url) in pages {
            if let url { return (process, url) }
            running -= 1
            if running == 0 { return nil }
        }
        return nil
    }
}
