import ArgumentParser
import OAuthProtocol

/// Whether servers on this machine may speak http; common to all commands that take a server's URL.
struct LoopbackOptions: ParsableArguments {
    @Flag(help: "Allow http if the server is on this machine (for development).")
    var allowInsecureLoopback = false

    /// The option as it was typed, with a space before it; empty if it was not.
    var suffix: String { allowInsecureLoopback ? " --allow-insecure-loopback" : "" }

    var transport: TransportPolicy { allowInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }
}
