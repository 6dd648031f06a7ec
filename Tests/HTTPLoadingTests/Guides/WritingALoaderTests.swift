import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

// snippet: loader-language
/// Requests the user's language if a request does not set a language.
struct LanguageLoader: Loader {
    let language: String
    var position: LoaderPosition? { .modify }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var request = request
        if request.head.headerFields[.acceptLanguage] == nil {
            request.head.headerFields[.acceptLanguage] = language
        }
        return try await next(request)
    }
}
// end

// snippet: loader-maintenance
/// Responds without sending while the service is known to be down.
struct MaintenanceLoader: Loader {
    let isDown: @Sendable () -> Bool

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard isDown() else { return try await next(request) }
        return LoadResponse(HTTPResponse(status: .serviceUnavailable))
    }
}
// end

// snippet: loader-option
/// Whether the mirror may respond to a request.
enum AllowsMirror: RequestOption {
    static var defaultValue: Bool { true }
}
// end

// snippet: loader-mirror
/// Sends a request to a second server if the first one cannot be reached.
struct MirrorLoader: Loader {
    let authority: String

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        do throws(LoadError) {
            let response = try await next(request)
            guard response.status == .serviceUnavailable, mayUseMirror(request) else { return response }
            response.body.cancel()
        } catch {
            guard error.code == .cannotConnect, mayUseMirror(request) else { throw error }
        }
        var mirrored = request
        mirrored.head.authority = authority
        return try await next(mirrored)
    }

    private func mayUseMirror(_ request: LoadRequest) -> Bool {
        request.head.method == .get && request.options[AllowsMirror.self] && request.body.canBeSent
    }
}
// end

// snippet: loader-state
/// Stores the number of unread messages that the server last reported.
final class UnreadLoader: Loader {
    private struct State {
        var count: Int?
        var epoch: Epoch?
    }

    private let state = Mutex(State())

    var count: Int? { state.withLock(\.count) }

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let response = try await next(request)
        guard let name = HTTPField.Name("X-Unread"), let count = response.head.headerFields[name].flatMap({ Int($0) }) else {
            return response
        }
        state.withLock { state in
            // The response to a request from an older epoch may belong to another user.
            if let epoch = state.epoch, next.epoch < epoch { return }
            state.count = count
        }
        return response
    }

    func reset(_ context: ResetContext) async throws {
        guard context.phase == .forget else { return }
        state.withLock { $0 = State(count: nil, epoch: context.epoch) }
    }
}
// end

// snippet: loader-pause
/// Waits before each request, on the chain's clock.
struct PauseLoader: Loader {
    let pause: Duration

    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        do {
            try await next.clock.sleep(for: pause)
        } catch {
            throw LoadError(.cancelled, for: request)
        }
        return try await next(request)
    }
}
// end

/// Runs the code of the guide "Writing a loader" unchanged.
struct WritingALoaderTests {
    private static let url = "https://api.example.com/notes"

    // snippet: loader-test
    @Test func `a request gets the user's language, unless it sets its own`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok)), .init(.any, .status(.ok))])
        let chain = try Chain(transport: transport) { LanguageLoader(language: "de") }
        _ = try await chain.load(.get("https://api.example.com/notes"))
        _ = try await chain.load(.get("https://api.example.com/notes", headers: [.acceptLanguage: "fr"]))
        #expect(transport.requests.map { $0.head.headerFields[.acceptLanguage] } == ["de", "fr"])
        try transport.verifyFinished()
    }
    // end

    @Test func `a loader may answer by itself`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        for (isDown, status) in [(true, HTTPResponse.Status.serviceUnavailable), (false, .ok)] {
            let chain = try Chain(transport: transport, [MaintenanceLoader { isDown }])
            #expect(try await chain.load(.get(Self.url)).status == status)
        }
        try transport.verifyFinished()
    }

    @Test(arguments: [ScriptedAnswer.status(.serviceUnavailable), .failure(.cannotConnect)])
    func `a loader may load a second time, elsewhere`(answer: ScriptedAnswer) async throws {
        let transport = ScriptedTransport([.init(.get(Self.url), answer), .init(.get("https://mirror.example.com/notes"), .status(.ok))])
        let chain = try Chain(transport: transport, [MirrorLoader(authority: "mirror.example.com")])
        #expect(try await chain.load(.get(Self.url)).status == .ok)
        try transport.verifyFinished()
    }

    @Test func `an option keeps a request from the mirror`() async throws {
        let transport = ScriptedTransport([.init(.get(Self.url), .status(.serviceUnavailable))])
        let chain = try Chain(transport: transport, [MirrorLoader(authority: "mirror.example.com")])
        // snippet: loader-option-use
        var request = try LoadRequest.get("https://api.example.com/notes")
        request.options[AllowsMirror.self] = false
        // end
        #expect(try await chain.load(request).status == .serviceUnavailable)
        try transport.verifyFinished()
    }

    @Test func `what a loader keeps is gone after a reset, and what an older load brings is not kept`() async throws {
        let headers: HTTPFields = HTTPField.Name("X-Unread").map { [$0: "7"] } ?? [:]
        let late = Signal()
        let transport = RoutedTransport([
            (.get("/notes"), .status(.ok, headers: headers)),
            (
                .get("/late"),
                ScriptedAnswer { _ throws(LoadError) in
                    // Responds although the request was cancelled, as a careless server does.
                    await Task { await late.wait() }.value
                    return LoadResponse(HTTPResponse(status: .ok, headerFields: headers))
                }
            ),
        ])
        let unread = UnreadLoader()
        let chain = try Chain(transport: transport, [unread])
        _ = try await chain.load(.get(Self.url))
        #expect(unread.count == 7)
        let loading = Task { try await chain.load(.get("https://api.example.com/late")) }
        await transport.untilRequested(2)
        #expect(await chain.reset(grace: .zero).abandonedLoads == 1)
        #expect(unread.count == nil)
        late.fire()
        await #expect(throws: LoadError.self) { try await loading.value }
        #expect(unread.count == nil)
    }

    @Test func `a loader waits by the chain's clock, and a cancelled load no longer`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport([.init(.any, .status(.ok))])
        let chain = try Chain(transport: transport, clock: LoadClock(clock), [PauseLoader(pause: .seconds(60))])
        _ = try await clock.run { try await chain.load(.get(Self.url)) }
        #expect(clock.now.offset == .seconds(60))
        let loading = Task { try await chain.load(.get(Self.url)) }
        await clock.untilAsleep()
        loading.cancel()
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled)
        try transport.verifyFinished()
    }
}
