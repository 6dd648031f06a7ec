import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The owner of the access token in a request to the API.
struct ResourceHolder: Sendable {
    let user: DevelopmentUser
    let clientID: String
    let scope: [String]
}

extension ServerState {
    /// Validates the access token of a request to the API.
    ///
    /// - Returns: The holder, or the error response.
    func authorizeResource(_ request: IncomingRequest, scope needed: String? = nil) -> Result<ResourceHolder, RefusedResource> {
        authorizeResource(request, token: request.bearerToken, scope: needed)
    }

    /// Validates the access token of a request, wherever the request contains it.
    func authorizeResource(
        _ request: IncomingRequest, token: String?, scope needed: String?
    ) -> Result<ResourceHolder, RefusedResource> {
        if let demand = persona.api.requiredHeaders.first(where: { !$0.isMet(by: request) }) {
            return .failure(RefusedResource(answer: persona.api.isGitHub ? GitHubAnswer.noUserAgent : Self.missing(demand)))
        }
        guard let token else { return .failure(RefusedResource(answer: challenge(error: nil))) }
        let holder = grants.withLock { $0.holder(ofAccessToken: token, at: now) }
        guard let holder, let user = self.holder(of: holder.grant) else {
            return .failure(
                RefusedResource(answer: challenge(error: "invalid_token", description: "The access token is unknown, expired or revoked.")))
        }
        if let needed, !holder.scope.contains(needed) {
            return .failure(
                RefusedResource(
                    answer: challenge(
                        error: "insufficient_scope", description: "The access token lacks the scope \(needed).", scope: needed,
                        status: .forbidden)))
        }
        return .success(ResourceHolder(user: user, clientID: holder.grant.clientID, scope: holder.scope))
    }

    private static func missing(_ demand: Persona.HeaderDemand) -> Answer {
        .json(["message": .string("The header field \(demand.name) is missing or wrong.")], status: .badRequest)
    }

    /// Returns the challenge of RFC 6750 §3 and RFC 9728 §5.1; GitHub has its own format, without a challenge.
    private func challenge(
        error: String?, description: String? = nil, scope: String? = nil, status: HTTPResponse.Status = .unauthorized
    ) -> Answer {
        guard !persona.api.isGitHub else {
            return GitHubAnswer.error(error == nil ? "Requires authentication" : "Bad credentials", status: .unauthorized)
        }
        var parts = ["realm=\"\(issuer)\""]
        if let error { parts.append("error=\"\(error)\"") }
        if let description { parts.append("error_description=\"\(description)\"") }
        if let scope { parts.append("scope=\"\(scope)\"") }
        if persona.isOpenIDProvider { parts.append("resource_metadata=\"\(resourceMetadataURL)\"") }
        var answer = Answer.json(
            error.map { ["error": .string($0), "error_description": .string(description ?? "")] } ?? ["message": "Requires authentication"],
            status: status)
        answer.headers[.wwwAuthenticate] = "Bearer " + parts.joined(separator: ", ")
        return answer
    }
}

/// An error that contains its response.
struct RefusedResource: Error, Sendable {
    let answer: Answer
}

extension ServerState {
    /// Returns the user that a token was issued for. If the token was issued to the client itself, returns a user that represents the
    /// client.
    func holder(of grant: AuthorizationGrant) -> DevelopmentUser? {
        guard grant.userID == AuthorizationGrant.nobody, let client = client(id: grant.clientID) else { return user(id: grant.userID) }
        return DevelopmentUser(
            id: AuthorizationGrant.nobody, login: client.id, password: Secret(Base64URL.encode(randomBytes(count: 16))), name: client.name)
    }
}
