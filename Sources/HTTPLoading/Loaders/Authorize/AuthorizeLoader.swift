import AuthHubPrimitives
import HTTPTypes

/// Writes a credential into each request whose origin the ``Authorizer`` covers, and answers a refusal with at most one replay, and
/// where that is refused, too, with a last one, if the authorizer has another credential for it.
///
/// Stands behind redirecting and retrying, so that each hop and attempt is judged and equipped anew. A request that has an
/// `Authorization` field of its own keeps it, and its refusals are its own. Where a body comes but once, a refusal still renews the
/// credential, but is handed on.
public struct AuthorizeLoader<SomeAuthorizer: Authorizer>: Loader {
    let authorizer: SomeAuthorizer

    /// - Parameter authorizer: Asked for each request, and reset with the chain.
    public init(_ authorizer: SomeAuthorizer) {
        self.authorizer = authorizer
    }

    public var place: LoaderPlace? { .authorize }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let origin = Origin(request.head), authorizer.covers(origin, options: request.options),
            !request.head.headerFields.contains(.authorization)
        else {
            return try await next(request)
        }
        let credential = try await authorizer.credential(for: request)
        let response = try await send(request, with: credential, next: next)
        guard response.status == .unauthorized else { return response }
        return try await replayed(request, with: credential, refusedBy: response, next: next)
    }

    public func reset(_ context: ResetContext) async throws {
        try await authorizer.reset(context)
    }

    private func replayed(
        _ request: LoadRequest, with credential: SomeAuthorizer.Credential, refusedBy refusal: LoadResponse, next: Next
    ) async throws(LoadError) -> LoadResponse {
        var response = refusal
        // Off the line first: who waits for a new credential holds neither connection nor permit.
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
        var response = try await next(try equip(request, with: credential))
        response.notes.isAuthorized = true
        return response
    }

    private func equip(_ request: LoadRequest, with credential: SomeAuthorizer.Credential) throws(LoadError) -> LoadRequest {
        var equipped = request
        try authorizer.apply(credential, to: &equipped.head)
        return equipped
    }
}
