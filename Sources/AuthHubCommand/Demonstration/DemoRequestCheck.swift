import AuthHubPrimitives
import Synchronization

/// A check that inspects and describes the authorization request before the page opens.
final class DemoRequestCheck: Sendable {
    private let progress: DemoProgress
    private let found = Mutex(false)

    init(progress: DemoProgress) {
        self.progress = progress
    }

    /// Whether the checked request is correct.
    var isGood: Bool { found.withLock { $0 } }

    /// Checks the request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8252 §7.3).
    func check(_ url: String) {
        let query = (try? FormParameters(decoding: url.drop { $0 != "?" }.dropFirst())) ?? [:]
        let redirect = query["redirect_uri"].flatMap { Origin(url: $0) }
        let isGood =
            query["response_type"] == "code" && query["code_challenge_method"] == "S256" && (query["code_challenge"] ?? "").utf8.count == 43
            && (query["state"] ?? "").utf8.count >= 43 && redirect?.host == "127.0.0.1"
        found.withLock { $0 = isGood }
        guard isGood, let redirect else { return progress.failed(.request) }
        progress.done(.request, "PKCE S256, one-time state, callback to \(redirect).")
        progress.wait(url)
    }
}
