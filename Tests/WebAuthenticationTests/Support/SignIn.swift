import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

/// A running sign-in: its page was shown, and it waits for a callback with `state=right`.
struct SignIn: Sendable {
    let redirectURI: String
    let clock: TestClock
    private let task: Task<Result<ReceivedCallback, WebAuthenticationError>, Never>

    /// - Parameter method: The callback method; nil for a loopback port that the system does not assign to another sign-in after this one
    ///   has released it.
    init(
        clock: TestClock = TestClock(),
        method: CallbackMethod? = nil,
        responseMode: CallbackResponseMode = .query,
        opener: some PageOpener = IdleOpener(),
        waitsWhenNotShown: Bool = false,
        onNotShown: @escaping @Sendable (WebAuthenticationError) -> Void = { _ in }
    ) async throws {
        self.clock = clock
        let shown = AsyncStream.makeStream(of: Void.self)
        let browser = BrowserAuthenticator(
            opener: opener, waitsWhenNotShown: waitsWhenNotShown, clock: clock, onShow: { _ in shown.continuation.yield() },
            onNotShown: onNotShown)
        let attempt = try await browser.prepare(method ?? .loopback(port: quietPort()))
        redirectURI = attempt.redirectURI
        var request = WebAuthenticationRequest.expectingRightState
        request.responseMode = responseMode
        task = Task { [request] in
            // If the sign-in ends before its page is shown, do not wait for the page.
            defer { shown.continuation.finish() }
            do throws(WebAuthenticationError) {
                return .success(try await attempt.authenticate(request))
            } catch {
                return .failure(error)
            }
        }
        for await _ in shown.stream { break }
    }

    var outcome: Result<ReceivedCallback, WebAuthenticationError> {
        get async { await task.value }
    }

    func cancel() {
        task.cancel()
    }

    /// Fetches a path as a browser would.
    func get(_ target: String) async throws -> Answer {
        try await LoopbackClient.get(target, of: redirectURI)
    }

    /// Posts a form as a browser would.
    func post(_ body: String, to target: String = "/callback", fields: String = "", type: String = formType) async throws -> Answer {
        try await LoopbackClient.send(
            LoopbackClient.request(
                target, of: redirectURI, method: "POST", fields: "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)")
                + body, to: redirectURI)
    }

    static let formType = "application/x-www-form-urlencoded"

    /// The origin of the page, as browsers send it with a request.
    var origin: String { redirectURI.replacing("/callback", with: "") }

    /// Loads the page that passes on the fragment, and reads its ticket.
    func ticket() async throws -> String {
        let page = try await get("/callback")
        return String(try #require(page.body.components(between: #"name="ticket" content=""#, and: "\"")))
    }
}

extension WebAuthenticationRequest {
    static let expectingRightState = Self(url: "https://as.example/authorize?client_id=c") { callback in
        guard case .form(let form) = callback.content else { return callback.url.reveal().hasSuffix("state=right") }
        return form.reveal().hasSuffix("state=right")
    }
}

/// A browser that shows nothing; the test simulates the user.
struct IdleOpener: PageOpener {
    func open(_ url: String) async {}
}

/// An opener that calls a closure.
struct ClosureOpener: PageOpener {
    let body: @Sendable (String) async throws(WebAuthenticationError) -> Void

    func open(_ url: String) async throws(WebAuthenticationError) {
        try await body(url)
    }
}

extension Result where Failure == WebAuthenticationError {
    var code: WebAuthenticationError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

/// Whether the port can be bound again.
func isFree(_ redirectURI: String) async -> Bool {
    (try? await onceItSucceeds { try await bindOnce(redirectURI) }) != nil
}

/// Whether the port cannot be bound now.
func isTaken(_ redirectURI: String) async -> Bool {
    (try? await bindOnce(redirectURI)) == nil
}

private func bindOnce(_ redirectURI: String) async throws {
    let port = try #require(UInt16(redirectURI.split(separator: ":")[2].prefix { $0.isNumber }))
    try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(port: port)).close()
}

extension String {
    func components(between start: String, and end: String) -> Substring? {
        guard let start = firstRange(of: start) else { return nil }
        let rest = self[start.upperBound...]
        return rest.firstRange(of: end).map { rest[..<$0.lowerBound] }
    }
}
