import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

/// A sign-in that runs: its page was shown, and it waits for a callback with `state=right`.
struct SignIn: Sendable {
    let redirectURI: String
    let clock: TestClock
    private let task: Task<Result<ReceivedCallback, WebAuthenticationError>, Never>

    init(
        clock: TestClock = TestClock(),
        method: CallbackMethod = .loopback(),
        opener: some PageOpener = IdleOpener(),
        waitsWhenNotShown: Bool = false
    ) async throws {
        self.clock = clock
        let shown = AsyncStream.makeStream(of: Void.self)
        let browser = BrowserAuthenticator(opener: opener, waitsWhenNotShown: waitsWhenNotShown, clock: clock) { _ in
            shown.continuation.yield()
        }
        let attempt = try await browser.prepare(method)
        redirectURI = attempt.redirectURI
        task = Task {
            do throws(WebAuthenticationError) {
                return .success(try await attempt.authenticate(.expectingRightState))
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
}

extension WebAuthenticationRequest {
    static let expectingRightState = Self(url: "https://as.example/authorize?client_id=c") { $0.url.reveal().hasSuffix("state=right") }
}

/// A browser that shows nothing: the test plays the person.
struct IdleOpener: PageOpener {
    func open(_ url: String) async {}
}

/// An opener made of a closure.
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
///
/// Tried more than once: a process that another test starts at this moment has all descriptors until it runs its program.
func isFree(_ redirectURI: String) async -> Bool {
    guard let port = UInt16(redirectURI.split(separator: ":")[2].prefix { $0.isNumber }) else { return false }
    for _ in 0..<500 {
        if let attempt = try? await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback(port: port)) {
            await attempt.close()
            return true
        }
        try? await Task.sleep(for: .milliseconds(10))  // nothing tells when that process has come so far
    }
    return false
}
