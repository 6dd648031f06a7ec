import ArgumentParser
import AuthHubPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options for reaching servers, for all commands that send requests.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The proxy for servers on other machines, or \"\" for none (default: HTTPS_PROXY).", valueName: "url"))
    var proxy: String?

    @Option(
        help: ArgumentHelp("A PEM file with the only certificate authorities to trust (default: SSL_CERT_FILE).", valueName: "file"),
        completion: .file())
    var caFile: String?

    /// Opens the network of a run.
    ///
    /// - Throws: ``Failure`` if an option or a variable cannot be used.
    func open() throws(Failure) -> ToolNetwork {
        try ToolNetwork.open(ProcessInfo.processInfo.environment, proxy: proxy, authorities: caFile)
    }
}
