import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// The options of a sign-in that begins at a protected resource.
struct ResourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The WWW-Authenticate field of a response that rejected a request; the URL is then not requested: 'Bearer resource_metadata=\"…\"'.",
            valueName: "text"))
    var challenge: String?

    @Option(
        help: ArgumentHelp("The issuer to use if the resource names several; also confirms its endpoints on other hosts.", valueName: "url")
    )
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "The URL of a published client metadata document, which is the client ID if the server supports it.", valueName: "url"))
    var clientIDDocument: String?

    @Flag(help: "Allow the resource to name servers in a private network; for resources that you trust.")
    var allowPrivateServers = false

    @Flag(
        help: "For servers of MCP 2025-03-26, which do not name their authorization server: sign in at the resource's own origin.")
    var withoutResourceMetadata = false

    @Flag(
        name: .customLong("without-pkce-check"),
        help: "Accept a server that does not say whether it supports PKCE. If it does not, a stolen code can be used by others.")
    var withoutPKCECheck = false

    @Flag(
        help:
            "Do not name the API in requests for tokens, for servers that reject the parameter \"resource\". The tokens may then be valid for other APIs, too."
    )
    var withoutResource = false

    var request: ResourceRequest {
        ResourceRequest(
            challenge: challenge, issuer: issuer, clientIDDocument: clientIDDocument, allowsPrivateServers: allowPrivateServers,
            assumesOrigin: withoutResourceMetadata, skipsProofKeyCheck: withoutPKCECheck, omitsParameter: withoutResource)
    }

    /// - Parameter transport: The URLs that the command allows.
    func check(_ transport: TransportPolicy) throws {
        guard let clientIDDocument, !ClientIDDocument.problems(ofAddress: clientIDDocument, transport: transport).isEmpty else { return }
        throw ValidationError("--client-id-document must be an https URL with a path, without dot segments and fragment.")
    }
}
