import AuthHubPrimitives
import HTTPTypes

/// Writes a credential into each request whose origin the ``Authorizer`` covers, and answers a refusal with at most one replay.
///
/// Stands behind redirecting and retrying, so that each hop and attempt is judged and equipped anew. A request that has an
/// `Authorization` field of its own keeps it, and its refusals are its own.
public struct AuthorizeLoader<SomeAuthorizer: Authorizer>: Loader {
    private let authorizer: SomeAuthorizer

    public init(_ authorizer: SomeAuthorizer) {
        self.authorizer = authorizer
    }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let origin = Origin(request.head), authorizer.covers(origin), request.head.headerFields[.authorization] == nil else {
            return try await next(request)
        }
        let credential = try await authorizer.credential(for: request)
        let response = try await next(try equip(request, with: credential))
        guard response.status == .unauthorized,
            let replacement = try await authorizer.replacement(for: credential, refusedBy: response.head, request: request)
        else { return response }
        await response.body.drain()
        var replayed = try await next(try equip(request, with: replacement))
        replayed.notes.replays += 1
        return replayed
    }

    private func equip(_ request: LoadRequest, with credential: SomeAuthorizer.Credential) throws(LoadError) -> LoadRequest {
        var equipped = request
        try authorizer.apply(credential, to: &equipped.head)
        return equipped
    }
}
