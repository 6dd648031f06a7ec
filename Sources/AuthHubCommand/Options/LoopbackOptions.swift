import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// Whether servers on this machine may speak http; common to all commands that take a server's URL.
struct LoopbackOptions: ParsableArguments {
    @Flag(help: "Allow http if the server is on this machine (for development).")
    var allowInsecureLoopback = false

    /// The option as it was typed, with a space before it; empty if it was not.
    var suffix: String { allowInsecureLoopback ? " --allow-insecure-loopback" : "" }

    /// The option, if a URL needs it, even if it was not typed.
    func suffix(for url: String) -> String {
        var options = self
        if isLoopback(url) { options.allowInsecureLoopback = true }
        return options.suffix
    }

    var transport: TransportPolicy { allowInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }

    /// Checks only the form of a URL; the user may enter any URL.
    ///
    /// - Parameters:
    ///   - what: What the URL is, for the message.
    ///   - hint: What to type instead.
    func check(_ url: String, _ what: String, hint: String) throws(Failure) {
        guard !transport.allows(url) else { return }
        throw .usage(
            "\(what) must be an https URL without user information or fragment",
            hint: isLoopback(url) && !allowInsecureLoopback ? "add --allow-insecure-loopback, for development on this machine" : hint)
    }

    private func isLoopback(_ url: String) -> Bool { Origin(url: url).map { $0.isLoopback && $0.scheme == "http" } ?? false }
}
