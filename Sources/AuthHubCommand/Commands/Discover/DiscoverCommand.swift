import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct DiscoverCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Show an authorization server's metadata and any problems with it.",
        discussion: """
            Requests the issuer's metadata from every well-known URL (RFC 8414, OpenID Connect Discovery) and shows what login and the \
            other commands would use: the first document, plus any endpoints that only the others have. With --resource, asks an API \
            for its issuer first (RFC 9728).

            Examples:
              authhub discover https://accounts.example.com
              authhub discover --resource https://api.example.com/v1
            """)

    @Argument(
        help: ArgumentHelp(
            "The issuer's https URL; with --resource, which of the resource's issuers to use.", valueName: "issuer"))
    var issuer: String?

    @Option(help: ArgumentHelp("The protected resource to start at: the https URL of an API.", valueName: "url"))
    var resource: String?

    @OptionGroup var loopback: LoopbackOptions

    @Flag(help: "Allow the resource to name a server in a private network; for resources that you trust.")
    var allowPrivateServers = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard issuer != nil || resource != nil else {
            throw ValidationError("Give an issuer's URL, or a resource with --resource.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let discovery = ServerDiscovery(dependencies: .network, transport: loopback.transport, allowedHosts: reach)
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
    private var reach: HostPolicy {
        if allowPrivateServers { return .anyHostEvenInPrivateNetworks }
        return loopback.allowInsecureLoopback ? .publicHostsAndLoopbackForDevelopment : .publicHosts
    }

    /// Checks only the form of the URL; the user may enter any URL.
    private func check(_ url: String, _ what: String) throws(Failure) {
        guard loopback.transport.allows(url) else {
            let isLoopback = Origin(url: url).map { $0.isLoopback && $0.scheme == "http" } ?? false
            throw .usage(
                "\(what) must be an https URL without user information or fragment",
                hint: isLoopback
                    ? "add --allow-insecure-loopback, for development on this machine"
                    : what == "the issuer" ? "authhub discover https://HOST" : "authhub discover --resource https://HOST/PATH")
        }
        guard what != "the issuer" || !url.contains("?") else {
            throw .usage("the issuer's URL must not have a query", hint: "authhub discover https://HOST/PATH")
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
            throw SessionError(
                .misconfigured, "\(resource.resource) does not name \(wanted) as an issuer; it names \(names.isEmpty ? "none" : names)")
        }
        return chosen.text
    }

    private func failure(_ error: SessionError) -> Failure {
        switch error.code {
        case .securityCheckFailed:
            return Failure(
                "security_check_failed", .securityCheckFailed, error.explanation,
                hint: "compare the URL character by character with the one in the server's documentation")
        case .misconfigured:
            return Failure("misconfigured", .failed, error.explanation, hint: hintWithoutMetadata)
        default: return Failure(error, login: words.joined(separator: " "))
        }
    }

    private var hintWithoutMetadata: String {
        let flag = loopback.suffix
        if resource != nil {
            return "authhub discover ISSUER\(flag), with the issuer from the API's documentation"
        }
        return "authhub login \((issuer ?? "ISSUER").shellWord) --client-id ID\(flag) --authorization-endpoint URL --token-endpoint URL "
            + "works without metadata"
    }

    /// The words of this command, as typed.
    private var words: [String] {
        ["authhub", "discover"] + (issuer.map { [$0.shellWord] } ?? []) + (resource.map { ["--resource", $0.shellWord] } ?? [])
            + (loopback.allowInsecureLoopback ? ["--allow-insecure-loopback"] : [])
            + (allowPrivateServers ? ["--allow-private-servers"] : [])
    }
}
