import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

extension SignInService {
    /// The code of the failure if a URL has neither the metadata of an issuer nor that of an API.
    static let nothingFound = "nothing_found"

    private static let probeTimeout = Duration.seconds(10)
    private static let messageLimit = 1024 * 1024
    private static let initialize = #"""
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"authhub","version":"0"}}}
        """#

    /// Signs in. If nothing describes the URL, sends it what an MCP host sends first: some servers say only then what they require.
    ///
    /// - Returns: nil if the server requires no sign-in.
    func performIfNeeded() async throws(Failure) -> CompletedSignIn? {
        let failure: Failure
        do throws(Failure) {
            return try await perform()
        } catch {
            failure = error
        }
        guard failure.code == Self.nothingFound, let url = request.provider.name, let response = await firstResponse(at: url) else {
            throw failure
        }
        guard response.status.kind != .successful else { return nil }
        guard response.status == .unauthorized else { throw failure }
        let challenges = response.challenges
        guard !challenges.isEmpty || response.head.headerFields[.wwwAuthenticate] == nil else {
            let command = "authhub mcp proxy \(url.shellWord)\(request.provider.transport.suffix)"
            throw Failure(
                "misconfigured", .failed, "\(url) requires authentication other than OAuth, such as a password",
                hint: "\(command) --header Authorization=@FILE sends the field in a file")
        }
        return try await changing { $0.resource.challenge = challenges.isEmpty ? "Bearer" : challenges }.perform()
    }

    func firstResponse(at url: String) async -> LoadResponse? {
        let fields: HTTPFields = [.contentType: "application/json", .accept: "application/json, text/event-stream"]
        guard var request = try? LoadRequest.post(url, headers: fields, body: .bytes(Array(Self.initialize.utf8))) else { return nil }
        request.options[AttemptTimeout.self] = Self.probeTimeout
        request.options[RedirectScope.self] = .sameOrigin
        guard let response = try? await Chain(transport: network.transport, ordered: [RedirectLoader()]).load(request) else { return nil }
        guard response.status.kind == .successful, response.head.headerFields.mediaType != "text/event-stream" else {
            response.body.cancel()
            return response
        }
        // Many websites respond to any request with 200, and APIs with JSON.
        guard let body = try? await response.body.collect(upTo: Self.messageLimit), (try? JSONValue(received: body))?["jsonrpc"] == "2.0"
        else { return nil }
        return response
    }
}
