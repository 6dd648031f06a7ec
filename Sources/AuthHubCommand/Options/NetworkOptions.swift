import ArgumentParser
import AuthHubPrimitives
import Platform

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

    @Flag(name: .shortAndLong, help: "Print requests and responses to standard error, with everything secret masked.")
    var verbose = false

    @Option(
        help: ArgumentHelp("A new file for the same, which you can send to others.", valueName: "file"), completion: .file())
    var trace: String?

    /// Opens the network of a run.
    ///
    /// - Throws: ``Failure`` if an option or a variable cannot be used.
    func open(_ console: Console) throws(Failure) -> ToolNetwork {
        let network = try ToolNetwork.open(ProcessInfo.processInfo.environment, proxy: proxy, authorities: caFile)
        guard verbose || trace != nil else { return network }
        let file = try trace.map(Trace.file)
        let isVerbose = verbose
        return network.traced(
            by: Trace { lines in
                if isVerbose { console.say(String(lines.dropLast())) }
                if let file { _ = StandardStreams.write(Array(lines.utf8), to: file) }
            })
    }

    /// Runs a body with this network as the current one.
    func use(_ console: Console, _ body: () async throws(Failure) -> Void) async throws(Failure) {
        let network = try open(console)
        let outcome: Result<Void, Failure> = await ToolNetwork.$current.withValue(network) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        await network.trace?.finish()
        try outcome.get()
    }
}
