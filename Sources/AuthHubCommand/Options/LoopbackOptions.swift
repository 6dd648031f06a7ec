import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// Whether servers on this machine may speak http; common to all commands that take a server's URL.
struct LoopbackOptions: ParsableArguments {
    @Flag(help: "Allow http if the server is on this machine (for development).")
    var allowInsecureLoopback = false

    var transport: TransportPolicy { allowInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }

    /// The option as it was typed, with a space before it; empty if it was not.
    var suffix: String { transport.suffix }

    /// The option, if a URL needs it, even if it was not typed.
    func suffix(for url: String) -> String { transport.suffix(for: url) }

    /// Checks only the form of a URL, as ``OAuthProtocol/TransportPolicy`` does.
    func check(_ url: String, _ what: String, hint: String) throws(Failure) { try transport.check(url, what, hint: hint) }
}

extension TransportPolicy {
    /// The option that allows what the policy does, with a space before it; empty if there is none.
    var suffix: String { self == .httpsOnly ? "" : " --allow-insecure-loopback" }

    /// The option, if a URL needs it or it was typed.
    func suffix(for url: String) -> String {
        isLoopback(url) ? Self.insecureHTTPOnLoopbackForDevelopment.suffix : suffix
    }

    /// Checks only the form of a URL; the user may enter any URL.
    ///
    /// - Parameters:
    ///   - what: What the URL is, for the message.
    ///   - hint: What to type instead.
    func check(_ url: String, _ what: String, hint: String) throws(Failure) {
        guard !allows(url) else { return }
        throw .usage(
            "\(what) must be an https URL without user information or fragment",
            hint: isLoopback(url) && self == .httpsOnly ? "add --allow-insecure-loopback, for development on this machine" : hint)
    }

    private func isLoopback(_ url: String) -> Bool { Origin(url: url).map { $0.isLoopback && $0.scheme == "http" } ?? false }
}
