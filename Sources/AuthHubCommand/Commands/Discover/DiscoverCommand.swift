import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct DiscoverCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Tells what an authorization server offers, and what is wrong with what it says.",
        discussion: """
            Asks all addresses where the metadata of an issuer may lie (RFC 8414, OpenID Connect Discovery), and shows what login and the \
            other commands would use: the first document, and from the others the endpoints that it lacks. With --resource it begins at \
            an API, and asks that for its issuer (RFC 9728).

            Examples:
              authhub discover https://accounts.example.com
              authhub discover --resource https://api.example.com/v1
            """)

    @Argument(
        help: ArgumentHelp(
            "The issuer's https URL. With --resource: which one to take, where the resource names several.", valueName: "issuer"))
    var issuer: String?

    @Option(help: ArgumentHelp("Begin at this protected resource: the https URL of an API.", valueName: "url"))
    var resource: String?

    @Flag(help: "For development: allow http if the server is on this machine.")
    var allowInsecureLoopback = false

    @Flag(help: "Ask also servers in private networks, where the resource names one: for resources that you trust.")
    var allowPrivateServers = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard issuer != nil || resource != nil else {
            throw ValidationError("Name an issuer, or a resource with --resource.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let discovery = ServerDiscovery(dependencies: .network, transport: transport, allowedHosts: reach)
        if let issuer { try check(issuer, "the issuer") }
        if let resource { try check(resource, "--resource") }
        do throws(SessionError) {
            let protected = try await protectedResource(discovery)
            let name = try await issuer(of: protected, discovery)
            let report = DiscoveryReport(
                issuer: name, resource: protected, requestedResource: resource,
                answers: try await discovery.answers(of: name, protecting: protected))
            let metadata = try report.metadata()
            switch console.format {
            case .json: console.put(report.json(metadata))
            case .text:
                console.put(report.text(metadata, console.dataStyle))
                for warning in report.warnings(metadata) { console.warn(warning) }
            }
        } catch {
            throw failure(error)
        }
    }
}

extension DiscoverCommand {
    private var transport: TransportPolicy { allowInsecureLoopback ? .insecureHTTPOnLoopbackForDevelopment : .httpsOnly }

    private var reach: HostPolicy {
        if allowPrivateServers { return .anyHostEvenInPrivateNetworks }
        return allowInsecureLoopback ? .publicHostsAndLoopbackForDevelopment : .publicHosts
    }

    /// Checks only the form of a URL: the user may enter any URL.
    private func check(_ url: String, _ what: String) throws(Failure) {
        guard transport.allows(url) else {
            let isLoopback = Origin(url: url).map { $0.isLoopback && $0.scheme == "http" } ?? false
            throw .usage(
                "\(what) is not an https URL without user information and fragment",
                hint: isLoopback
                    ? "add --allow-insecure-loopback, for development on this machine"
                    : what == "the issuer" ? "authhub discover https://HOST" : "authhub discover --resource https://HOST/PATH")
        }
        guard what != "the issuer" || !url.contains("?") else {
            throw .usage("an issuer has no query", hint: "authhub discover https://HOST/PATH")
        }
    }

    private func protectedResource(_ discovery: ServerDiscovery) async throws(SessionError) -> ProtectedResourceMetadata? {
        guard let resource else { return nil }
        return try await discovery.resource(resource, matching: .identicalOrAboveTheRequestedURLOnItsOrigin)
    }

    private func issuer(of resource: ProtectedResourceMetadata?, _ discovery: ServerDiscovery) async throws(SessionError) -> String {
        guard let resource else { return issuer ?? "" }
        let wanted = issuer
        guard let wanted else { return try await discovery.issuer(protecting: resource) }
        let chosen = resource.authorizationServers.first { $0.text.utf8.elementsEqual(wanted.utf8) }
        guard let chosen else {
            let names = resource.authorizationServers.map(\.text).joined(separator: ", ")
            throw SessionError(.misconfigured, "\(resource.resource) does not name \(wanted), but \(names.isEmpty ? "none" : names)")
        }
        return chosen.text
    }

    private func failure(_ error: SessionError) -> Failure {
        switch error.code {
        case .securityCheckFailed:
            return Failure(
                "security_check_failed", .securityCheckFailed, error.explanation,
                hint: "compare the address letter by letter with the one that the people who run the server give")
        case .misconfigured:
            return Failure("misconfigured", .failed, error.explanation, hint: hintWithoutMetadata)
        default: return Failure(error, login: words.joined(separator: " "))
        }
    }

    private var hintWithoutMetadata: String {
        let flag = allowInsecureLoopback ? " --allow-insecure-loopback" : ""
        if resource != nil {
            return "authhub discover ISSUER\(flag), with the issuer that the people who run the API give"
        }
        return "authhub login \((issuer ?? "ISSUER").shellWord) --client-id ID\(flag) --authorization-endpoint URL --token-endpoint URL "
            + "does without metadata"
    }

    /// The words of this command, as typed.
    private var words: [String] {
        ["authhub", "discover"] + (issuer.map { [$0.shellWord] } ?? []) + (resource.map { ["--resource", $0.shellWord] } ?? [])
            + (allowInsecureLoopback ? ["--allow-insecure-loopback"] : []) + (allowPrivateServers ? ["--allow-private-servers"] : [])
    }
}
