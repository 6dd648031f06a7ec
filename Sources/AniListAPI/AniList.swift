import AuthHubPrimitives
public import AuthHub
import HTTPLoading
import HTTPTypes

/// AniList's GraphQL API, asked by a session.
///
/// The session attaches its token where the API's origin is one that may see it; nothing here does.
public struct AniList: Sendable {
    private let session: OAuthSession
    private let endpoint: String

    /// An answer that is longer is not read.
    private static let answerLimit = 8 * 1024 * 1024

    /// - Parameters:
    ///   - session: Signed in to the AniList whose API this is.
    ///   - endpoint: Where its API is.
    public init(session: OAuthSession, endpoint: String = "https://graphql.anilist.co") {
        self.session = session
        self.endpoint = endpoint
    }
}

extension AniList {
    /// The person who is signed in.
    ///
    /// - Throws: ``AniListError``.
    public func viewer() async throws(AniListError) -> Viewer {
        try await load(.viewer)
    }

    /// Sends a query or a mutation, and reads the data that it asks for. Nothing is taken of an answer that names errors.
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
        let json = try? JSONValue(strict: bytes)
        guard response.status.code == 200, json?["errors"]?.array?.isEmpty ?? true else {
            throw AniListError(response.head, json, without: session.redaction)
        }
        guard let data = json?["data"], data.object != nil else {
            throw AniListError(.unexpectedAnswer, "AniList's response is not JSON or has no data")
        }
        return try request.read(data)
    }
}
