import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

@testable import ModelContextProxy

struct ProxyConnectionTests {
    private static let path = "/mcp"

    /// An account that sends requests as they are, and whose sign-ins have the given result.
    private final class TestAccount: ProxyAccount {
        let transport: ScriptedTransport
        let needs = Mutex<[SignInNeed]>([])
        private let isDeclined: Bool

        init(_ transport: ScriptedTransport, isDeclined: Bool = false) { (self.transport, self.isDeclined) = (transport, isDeclined) }

        func load(_ request: LoadRequest) async throws(ProxyFailure) -> (response: LoadResponse, signIn: UsedSignIn?) {
            do throws(LoadError) {
                return (try await Chain(transport: transport, ordered: []).load(request), UsedSignIn(id: "old", resource: nil))
            } catch {
                throw await failure(error)
            }
        }

        func failure(_ error: LoadError) async -> ProxyFailure { ProxyFailure("failed", "lost", hint: "wait") }

        func signIn(_ need: SignInNeed) async throws(ProxyFailure) -> SignInParty {
            needs.withLock { $0.append(need) }
            if isDeclined { throw ProxyFailure("denied", "declined", hint: "login") }
            return .this
        }

        func hasOtherSignIn(for need: SignInNeed) async -> Bool {
            needs.withLock { $0.append(need) }
            return false
        }
    }

    /// What a connection has written.
    private final class Host: Sendable {
        private let all = Mutex<[String]>([])
        private let (written, note) = AsyncStream.makeStream(of: Void.self)
        let (lines, line) = AsyncStream.makeStream(of: HostLine.self)

        var texts: [String] { all.withLock(\.self) }

        func accept(_ output: ProxyConnection.Output) {
            let text =
                switch output {
                case .message(let message): ShortMessage.text(message)
                case .warning(let text): "warning: \(text)"
                case .failure(let failure): "failure: \(failure.message)"
                }
            all.withLock { $0.append(text) }
            note.yield()
        }

        func say(_ message: String) { line.yield(HostLine(content: .text(ShortMessage.bytes(message)))) }

        func untilWritten() async { for await _ in written { return } }
    }

    private static func json(_ message: String, session: String? = nil) -> ScriptedAnswer {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers.set(RemoteHeaders.session, to: session)
        return .status(.ok, headers: headers, body: ShortMessage.bytes(message))
    }

    private static func events(_ text: String) -> ScriptedAnswer {
        .status(.ok, headers: [.contentType: "text/event-stream"], body: Array(text.utf8))
    }

    private static func connection(
        _ account: TestAccount, _ host: Host, fields: HTTPFields = [:], clock: LoadClock = .continuous
    ) -> ProxyConnection {
        ProxyConnection(
            to: "https://mcp.example\(path)", adding: fields, login: "login", account: account, clock: clock, output: host.accept)
    }

    @Test func `messages are sent with the user's header fields, and the session ends with the input`() async throws {
        let name = try #require(HTTPField.Name("X-Tenant"))
        try await ScriptedTransport.playing([
            .init(.post(Self.path), Self.json("ok#0", session: "s")), .init(.post(Self.path), .status(.accepted)),
            .init(.init(.delete, Self.path), .status(.noContent)),
        ]) { transport in
            let host = Host()
            host.say("initialize#0")
            host.say("notifications/a")
            host.line.finish()
            await Self.connection(TestAccount(transport), host, fields: [name: "1"]).run(host.lines)
            #expect(host.texts == ["ok#0"])
            #expect(transport.requests.allSatisfy { $0.head.headerFields[name] == "1" })
            #expect(transport.requests.map { $0.options[AttemptTimeout.self] } == [.seconds(86_400), .seconds(60), .seconds(2)])
            #expect(transport.requests.allSatisfy { $0.options[RedirectScope.self] == .sameOrigin })
        }
    }

    @Test func `a rejected message is sent again after the sign-in`() async throws {
        try await ScriptedTransport.playing([
            .init(.post(Self.path), .status(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])),
            .init(.post(Self.path), Self.json("ok#1")),
        ]) { transport in
            let (host, account) = (Host(), TestAccount(transport))
            host.say("ping#1")
            host.line.finish()
            await Self.connection(account, host).run(host.lines)
            #expect(host.texts == ["ok#1"])
            #expect(
                account.needs.withLock(\.self) == [SignInNeed(url: "https://mcp.example/mcp", challenge: "Bearer", rejected: "old")])
        }
    }

    @Test func `a failed sign-in is an error for the host, and others are asked after one that did not help`() async throws {
        let rejection = ScriptedAnswer.status(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        try await ScriptedTransport.playing([.init(.post(Self.path), rejection)]) { transport in
            let host = Host()
            host.say("ping#1")
            host.line.finish()
            await Self.connection(TestAccount(transport, isDeclined: true), host).run(host.lines)
            #expect(host.texts == ["error#1(-32000 declined; next: login)"])
        }
        try await ScriptedTransport.playing([.init(.post(Self.path), rejection), .init(.post(Self.path), rejection)]) { transport in
            let (host, account) = (Host(), TestAccount(transport))
            host.say("ping#1")
            host.line.finish()
            await Self.connection(account, host).run(host.lines)
            #expect(host.texts.count == 1 && account.needs.withLock(\.count) == 2)
        }
    }

    @Test func `with a header field of the user's own, no one signs in`() async throws {
        try await ScriptedTransport.playing([.init(.post(Self.path), .status(.unauthorized))]) { transport in
            let (host, account) = (Host(), TestAccount(transport))
            host.say("ping#1")
            host.line.finish()
            await Self.connection(account, host, fields: [.authorization: "Bearer x"]).run(host.lines)
            #expect(host.texts.count == 1 && account.needs.withLock(\.isEmpty))
        }
    }

    @Test func `warnings and failures without a response are shown to the user`() async throws {
        let tools = #"ok#1({"tools":[{"name":"x","inputSchema":{"x-mcp-header":"A"}}]})"#
        try await ScriptedTransport.playing([
            .init(.post(Self.path), Self.json(tools)), .init(.post(Self.path), .failure(.cannotConnect)),
        ]) { transport in
            let host = Host()
            host.say("tools/list#1(modern)")
            host.line.finish()
            await Self.connection(TestAccount(transport), host).run(host.lines)
            let other = Host()
            other.say("notifications/a")
            other.line.finish()
            await Self.connection(TestAccount(transport), other).run(other.lines)
            #expect(host.texts.count == 2 && host.texts[0].hasPrefix("warning: the tool x is left out"))
            #expect(other.texts == ["failure: lost"])
        }
    }

    @Test func `a stream that breaks off is resumed when the clock has reached the time`() async throws {
        let clock = TestClock()
        try await ScriptedTransport.playing([
            .init(.post(Self.path), Self.events("id: 1\nretry: 5000\ndata:\n\n")),
            .init(.get(Self.path), Self.events("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")),
        ]) { transport in
            let host = Host()
            host.say("ping#1")
            let connection = Self.connection(TestAccount(transport), host, clock: LoadClock(clock))
            async let end: Void = connection.run(host.lines)
            await clock.untilAsleep()
            #expect(transport.requests.count == 1)
            clock.advance(by: .seconds(5))
            await host.untilWritten()
            host.line.finish()
            await end
            #expect(host.texts == ["ok#1"])
            let lastEvent = try #require(RemoteHeaders.lastEvent)
            #expect(transport.requests.last?.head.headerFields[lastEvent] == "1")
        }
    }

    @Test func `cancelling cancels the requests in progress, and ends the session`() async throws {
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let answer = ScriptedAnswer { request throws(LoadError) in
            await withTaskCancellationHandler {
                for await _ in never {}
            } onCancel: {
                cancelled.finish()
            }
            throw LoadError(.cancelled, for: request)
        }
        try await ScriptedTransport.playing([
            .init(.post(Self.path), Self.json("ok#0", session: "s")), .init(.post(Self.path), answer),
            .init(.init(.delete, Self.path), .status(.noContent)),
        ]) { transport in
            let host = Host()
            host.say("initialize#0")
            host.say("ping#1")
            let connection = Self.connection(TestAccount(transport), host)
            let running = Task { await connection.run(host.lines) }
            await transport.untilRequested(2)
            running.cancel()
            await running.value
            for await _ in cancellations {}
            end.finish()
            #expect(host.texts == ["ok#0"])
        }
    }
}
