import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The options for a token with less access than the account has.
struct AccessOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only these scopes of the account, separated by commas or spaces.", valueName: "scopes"))
    var scope: String?

    @Option(help: ArgumentHelp("Only for this API, a URI (RFC 8707); may be repeated.", valueName: "uri"))
    var resource: [String] = []

    @Option(help: ArgumentHelp("Only for this API, by the name that the server knows; may be repeated.", valueName: "name"))
    var audience: [String] = []

    func validate() throws {
        if let scope, Scope(scope, separators: [" ", ","]).isEmpty {
            throw ValidationError("--scope does not contain a valid scope.")
        }
        if let wrong = resource.first(where: { ResourceIndicator($0) == nil }) {
            throw ValidationError("--resource must be an absolute URI without a fragment, not “\(displayable(wrong, limit: 60))”.")
        }
        guard !audience.contains("") else { throw ValidationError("--audience must not be empty.") }
    }
}

extension AccessOptions {
    var isEmpty: Bool { scope == nil && resource.isEmpty && audience.isEmpty }

    var narrowed: NarrowedAccess {
        NarrowedAccess(
            scope: scope.map { Scope($0, separators: [" ", ","]) } ?? [],
            resources: resource.isEmpty ? nil : resource.compactMap(ResourceIndicator.init), audiences: audience)
    }

    /// Adapts the advice of a failure: the account can still be used without these options.
    func explaining(_ failure: Failure, _ error: SessionError) -> Failure {
        guard !isEmpty, [.denied, .serverRejected, .serverMisbehaved].contains(error.code) else { return failure }
        let typed = [("--scope", scope != nil), ("--resource", !resource.isEmpty), ("--audience", !audience.isEmpty)].filter(\.1).map(\.0)
        return failure.hinting(
            "leave out \(typed.joined(separator: " and ")), or use other values; the account's own token is unchanged")
    }
}
