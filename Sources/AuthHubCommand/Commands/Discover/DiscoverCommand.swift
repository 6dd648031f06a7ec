import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct DiscoverCommand: NetworkCommand {
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

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard issuer != nil || resource != nil else {
            throw ValidationError("Give an issuer's URL, or a resource with --resource.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let discovery = ServerDiscovery(
            dependencies: ToolNetwork.current.dependenciesForThirdParties, transport: loopback.transport, allowedHosts: reach)
        try checkURLs()
        do throws(SessionError) {
            let protected = try await protectedResource(discovery)
            let name = try await issuer(of: protected, discovery)
            var report = DiscoveryReport(
                issuer: name, resource: protected, requestedResource: resource,
                answers: try await discovery.answers(of: name, protecting: protected))
            let metadata = try report.metadata()
            report.keys = await keys(metadata, protected, discovery)
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

    private func checkURLs() throws(Failure) {
        if let issuer {
            try loopback.check(issuer, "the issuer", hint: "authhub discover https://HOST")
            guard !issuer.contains("?") else {
                throw .usage("the issuer's URL must not have a query", hint: "authhub discover https://HOST/PATH")
            }
        }
        if let resource { try loopback.check(resource, "--resource", hint: "authhub discover --resource https://HOST/PATH") }
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

    /// Returns the server's keys; nil if its metadata names no key set. A failure to read them is not an error of the discovery.
    private func keys(
        _ metadata: ServerMetadata, _ resource: ProtectedResourceMetadata?, _ discovery: ServerDiscovery
    ) async -> Result<KeySetReport, SessionError>? {
        guard let url = metadata.endpoints.jwks else { return nil }
        do throws(SessionError) {
            let response = try await discovery.keySet(at: url, protecting: resource)
            return .success(KeySetReport(url: url, issuer: metadata.issuer, response: response))
        } catch {
            return .failure(error)
        }
    }

    private func failure(_ error: SessionError) -> Failure {
        switch error.code {
        case .securityCheckFailed:
            return Failure(
                "security_check_failed", .securityCheckFailed, error.explanation,
                hint: error.otherIssuer?.hint { "authhub discover \($0.shellWord)\(loopback.suffix)" }
                    ?? "compare the URL character by character with the one in the server's documentation")
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
            + "works without metadata; for an API: authhub discover --resource \((issuer ?? "URL").shellWord)\(flag)"
    }

    /// The words of this command, as typed.
    private var words: [String] {
        ["authhub", "discover"] + (issuer.map { [$0.shellWord] } ?? []) + (resource.map { ["--resource", $0.shellWord] } ?? [])
            + (loopback.allowInsecureLoopback ? ["--allow-insecure-loopback"] : [])
            + (allowPrivateServers ? ["--allow-private-servers"] : [])
    }
}
