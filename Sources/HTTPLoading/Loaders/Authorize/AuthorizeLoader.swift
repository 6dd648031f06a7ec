import AuthHubPrimitives
import HTTPTypes

/// A loader that adds a credential to each request whose origin the ``Authorizer`` covers.
///
/// If the server responds with 401, the loader requests another credential and replays the request. If the replay is also rejected with
/// 401, the loader does this one last time.
///
/// The position of the loader is after the redirect and retry loaders, so that each hop and attempt is checked and authorized separately. If a
/// request already has an `Authorization` field, the loader sends it unchanged and returns even a 401. If a body cannot be sent again, the
/// credential is still refreshed after a 401, but the 401 is returned to the caller.
public struct AuthorizeLoader<SomeAuthorizer: Authorizer>: Loader {
    let authorizer: SomeAuthorizer

    /// Creates a loader.
    ///
    /// - Parameter authorizer: The authorizer that provides the credentials. It is reset together with the chain.
    public init(_ authorizer: SomeAuthorizer) {
        self.authorizer = authorizer
    }

    /// The position of the loader: ``LoaderPosition/authorize``.
    public var position: LoaderPosition? { .authorize }

    /// Sends the request with the authorizer's credential, and replays it with another one if the server rejects the credential with 401.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard !request.head.headerFields.contains(.authorization) else { return try await next(request) }
        let isCovered =
            Origin(request.head).map { authorizer.covers($0, path: request.head.path ?? "/", options: request.options) } ?? false
        guard isCovered, request.options[CredentialRule.self] == .ifCovered else {
            var response = try await next(request)
            response.notes.isCredentialWithheld = true
            response.notes.isChosenByOther = isCovered
            return response
        }
        let credential = try await authorizer.credential(for: request)
        let response = try await send(request, with: credential, next: next)
        guard response.status == .unauthorized else { return response }
        return try await replayed(request, with: credential, refusedBy: response, next: next)
    }

    /// Resets the authorizer.
    public func reset(_ context: ResetContext) async throws {
        try await authorizer.reset(context)
    }

    private func replayed(
        _ request: LoadRequest, with credential: SomeAuthorizer.Credential, refusedBy refusal: LoadResponse, next: Next
    ) async throws(LoadError) -> LoadResponse {
        var response = refusal
        // Detach the body first, so that a request that waits for a new credential holds neither a connection nor a permit.
        response.body = await response.body.detached()
        guard let replacement = try await authorizer.replacement(for: credential, refusedBy: response.head, request: request),
            request.body.canBeSent
        else { return response }
        response = try await replay(request, with: replacement, after: response, next: next)
        guard response.status == .unauthorized, request.body.canBeSent else { return response }
        response.body = await response.body.detached()
        guard let last = try await authorizer.lastReplacement(for: replacement, refusedBy: response.head, request: request)
        else { return response }
        return try await replay(request, with: last, after: response, next: next)
    }

    private func replay(
        _ request: LoadRequest, with credential: SomeAuthorizer.Credential, after refusal: LoadResponse, next: Next
    ) async throws(LoadError) -> LoadResponse {
        refusal.body.cancel()
        var response = try await send(request, with: credential, next: next)
        response.notes.add(refusal.notes)
        response.notes.replays += 1
        return response
    }

    private func send(
        _ request: LoadRequest, with credential: SomeAuthorizer.Credential, next: Next
    ) async throws(LoadError) -> LoadResponse {
        var equipped = request
        try authorizer.apply(credential, to: &equipped.head)
        var moved: String?
        if request.options[CredentialPlace.self] == .form { moved = try equipped.moveCredentialToForm() }
        var response = try await next(equipped)
        response.notes.isAuthorized = true
        // Some servers repeat the credential in their error messages.
        if response.status.kind != .successful {
            response.sentCredential = moved ?? equipped.head.headerFields[.authorization]
        }
        return response
    }
}
