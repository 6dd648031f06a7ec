import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import WebAuthentication

/// Every user of the machine can connect to the port, but only the user who signs in gets more than an error page.
struct OtherUserTests {
    /// A kernel that reports each connection's user in turn.
    private final class Kernel: SocketSource {
        private let users = Mutex<[SocketOwner]>([])

        init(_ users: SocketOwner...) {
            self.users.withLock { $0 = users }
        }

        func owner(of socket: SocketName) -> SocketOwner {
            socket.remote == .none ? .user(1000) : users.withLock { $0.isEmpty ? .user(1000) : $0.removeFirst() }
        }
    }

    private static func waiting(_ kernel: Kernel) async throws -> (LoopbackListener, AsyncStream<CallbackURL>) {
        let listener = try await LoopbackListener.bind(port: quietPort(), path: "/callback", clock: TestClock(), sources: [kernel])
        let callbacks = AsyncStream.makeStream(of: CallbackURL.self)
        listener.expect(by: .query) {
            $0.url.reveal().hasSuffix("state=right")
        } take: {
            callbacks.continuation.yield($0)
            return true
        } ignore: {
        }
        return (listener, callbacks.stream)
    }

    @Test(arguments: [SocketOwner.user(1001), .closed, .missing, .unavailable])
    func `AR60 rejects another user's callback with the right state, and goes on waiting`(owner: SocketOwner) async throws {
        let (listener, callbacks) = try await Self.waiting(Kernel(owner))
        let stranger = try await LoopbackClient.get("/callback?code=theirs&state=right", of: listener.redirectURI)
        #expect(stranger.status == 403)
        #expect(stranger.body.contains("Another user’s sign-in"))
        // These users can still copy the URL from the address bar, if the sign-in is theirs after all.
        #expect(!stranger.body.contains("<script"))
        async let page = LoopbackClient.get("/callback?code=ours&state=right", of: listener.redirectURI)
        for await callback in callbacks {
            #expect(callback.url.reveal() == "\(listener.redirectURI)?code=ours&state=right")
            break
        }
        await listener.conclude(.signedIn)
        #expect(try await page.status == 200)
        #expect(listener.ignored.rejectedRequests == 1)
        await listener.close()
    }

    @Test func `AR61 the start URL redirects no other user, and stays valid`() async throws {
        let (listener, _) = try await Self.waiting(Kernel(.user(1001)))
        let start = listener.start(leadingTo: try ShownURL("https://as.example/authorize?state=right"))
        let path = try #require(start.split(separator: "/start/").last)
        let stranger = try await LoopbackClient.get("/start/\(path)", of: listener.redirectURI)
        #expect(stranger.status == 403)
        #expect(!stranger.text.contains("as.example"))
        #expect(try await LoopbackClient.get("/start/\(path)", of: listener.redirectURI).status == 303)
        await listener.close()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var foreignResponses = 0
        var peers: [PeerSockets.Peer] = []
        let explanation: String?
    }

    @Test(arguments: [
        Row(testDescription: "nothing", explanation: nil),
        Row(
            testDescription: "a wrong state", foreignResponses: 1,
            explanation: "a response that does not belong to this sign-in arrived and was ignored"),
        Row(
            testDescription: "another user", peers: [.user(1001)],
            explanation: "a request of another user of this machine (user ID 1001) was rejected"),
        Row(
            testDescription: "hidden", peers: [.gone, .gone], explanation: "2 requests of a program whose user is unknown were rejected"),
        Row(
            testDescription: "both", foreignResponses: 2, peers: [.user(1002), .user(1001), .gone],
            explanation: "2 responses that do not belong to this sign-in arrived and were ignored, and 3 requests of another user of this "
                + "machine (user ID 1001, 1002) were rejected"),
    ])
    func `describes what was ignored in a sentence`(row: Row) {
        var ignored = IgnoredCallbacks(foreignResponses: row.foreignResponses)
        for peer in row.peers { ignored.rejected(peer) }
        #expect(ignored.explanation == row.explanation)
    }

    @Test func `a sign-in that times out after a response of another sign-in fails with a security error`() async throws {
        let signIn = try await SignIn()
        #expect(try await signIn.get("/callback?code=c&state=wrong").status == 400)
        await signIn.clock.untilAsleep()
        signIn.clock.advance(by: .seconds(300))
        guard case .failure(let error) = await signIn.outcome else {
            Issue.record("it succeeded")
            return
        }
        #expect(error.code == .unexpectedCallback)
        #expect((error.underlying as? WebAuthenticationError)?.code == .timedOut)
        #expect(error.ignored == "a response that does not belong to this sign-in arrived and was ignored")
        #expect(error.description.hasSuffix("; a response that does not belong to this sign-in arrived and was ignored"))
    }

    @Test func `a sign-in that succeeds or is cancelled reports what was ignored`() async throws {
        for cancels in [true, false] {
            let (shown, showing) = AsyncStream<Void>.makeStream()
            let told = Mutex<[String]>([])
            let attempt = try await BrowserAuthenticator(
                opener: IdleOpener(), onShow: { _ in showing.yield() }, onIgnored: { text in told.withLock { $0.append(text) } }
            ).prepare(.loopback(port: quietPort()))
            let waiting = Task { try await attempt.authenticate(.expectingRightState) }
            for await _ in shown { break }
            #expect(try await LoopbackClient.get("/callback?state=wrong", of: attempt.redirectURI).status == 400)
            if cancels {
                waiting.cancel()
                _ = await waiting.result
            } else {
                async let page = LoopbackClient.get("/callback?code=c&state=right", of: attempt.redirectURI)
                try await waiting.value.conclude(.signedIn)
                #expect(try await page.status == 200)
            }
            #expect(told.withLock { $0 } == ["a response that does not belong to this sign-in arrived and was ignored"])
        }
    }
}
