import AuthHubPrimitives
public import AuthHub
import HTTPLoading
import HTTPTypes

/// AniList's GraphQL API, called with a session.
///
/// The session adds its token to requests if the API's origin is allowed to receive it. This module never handles the token itself.
public struct AniList: Sendable {
    private let session: OAuthSession
    private let endpoint: String

    /// The maximum size of a response, in bytes.
    private static let answerLimit = 8 * 1024 * 1024

    /// Creates a client for the API.
    ///
    /// - Parameters:
    ///   - session: A session at the AniList server that this API belongs to.
    ///   - endpoint: The URL of the API.
    public init(session: OAuthSession, endpoint: String = "https://graphql.anilist.co") {
        self.session = session
        self.endpoint = endpoint
    }
}

extension AniList {
    /// Returns the signed-in user.
    ///
    /// - Throws: ``AniListError``.
    public func viewer() async throws(AniListError) -> Viewer {
        try await load(.viewer)
    }

    /// Sends a query or a mutation, and returns the result. If the response contains errors, the call fails, even if the response also
    /// contains data.
    ///
    /// - Throws: ``AniListError``.
    public func load<Answer: Sendable>(_ request: GraphQLRequest<Answer>) async throws(AniListError) -> Answer {
        let response: LoadResponse
        let bytes: [UInt8]
        do throws(LoadError) {
            var message = try LoadRequest.post(endpoint, body: .json(request.json))
            message.head.headerFields[.accept] = "application/json"
            // Another server could claim that anyone is signed in.
            message.options[RedirectScope.self] = .sameOrigin
            response = try await session.load(message)
            bytes = try await response.body.collect(upTo: Self.answerLimit)
        } catch {
            throw AniListError(error)
        }
        let json = try? JSONValue(received: bytes)
        guard response.status.code == 200, json?["errors"]?.array?.isEmpty ?? true else {
            throw AniListError(response, json, without: session.redaction)
        }
        guard let data = json?["data"], data.object != nil else {
            throw AniListError(.unexpectedResponse, "AniList's response is not JSON or has no data")
        }
        return try request.read(data)
    }
}
