import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// Exchanges codes and refresh tokens for tokens (RFC 6749 §3.2).
struct TokenEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            let tokens = try tokens(for: request)
            switch state.persona {
            case .gitHub: return Self.gitHubAnswer(Self.gitHubParameters(tokens), to: request)
            case .openID: return try standardAnswer(tokens, isRefresh: request.form?["grant_type"] == "refresh_token")
            }
        } catch {
            switch state.persona {
            case .gitHub: return Self.gitHubAnswer(error.gitHubParameters, to: request)
            case .openID: return error.standardAnswer(issuer: state.issuer)
            }
        }
    }

    private func tokens(for request: IncomingRequest) throws(TokenError) -> IssuedTokens {
        guard let form = form(of: request) else {
            throw TokenError(code: .invalidRequest, description: "The body is not form-encoded.")
        }
        let names = form.parameters.map(\.name)
        guard Set(names).count == names.count else { throw TokenError(code: .invalidRequest, description: "A parameter occurs twice.") }
        let client: DevelopmentAuthorizationServer.Client
        do throws(ClientAuthenticationError) {
            client = try state.authenticateClient(of: request, form: form)
        } catch {
            throw TokenError(error)
        }
        switch form["grant_type"] ?? (state.persona == .gitHub ? "authorization_code" : nil) {
        case "authorization_code": return try exchangeCode(form, client)
        case "refresh_token": return try refresh(form, client)
        case nil: throw TokenError(code: .invalidRequest, description: "The grant_type is missing.")
        default:
            throw TokenError(
                code: .unsupportedGrantType, description: "This grant_type is not supported.", gitHubCode: .unsupportedGrantType)
        }
    }

    /// GitHub takes the parameters in the query or as JSON too.
    private func form(of request: IncomingRequest) -> FormParameters? {
        if let form = request.form { return form }
        guard state.persona == .gitHub else { return nil }
        if let members = request.json?.object?.members {
            return FormParameters(members.compactMap { member in member.value.string.map { .init(name: member.name, value: $0) } })
        }
        return request.queryParameters
    }

    private func exchangeCode(_ form: FormParameters, _ client: DevelopmentAuthorizationServer.Client) throws(TokenError) -> IssuedTokens {
        guard let code = form["code"] else { throw TokenError(code: .invalidRequest, description: "The code is missing.") }
        let outcome = state.grants.withLock { ledger in
            Result { () throws(GrantRefusal) in
                try ledger.redeem(
                    code: code, clientID: client.id, redirectURI: form["redirect_uri"], redirectURIIsOptional: state.persona == .gitHub,
                    codeVerifier: form["code_verifier"], style: style(for: client), at: state.now)
            }
        }
        switch outcome {
        case .success(let tokens): return tokens
        case .failure(let refusal):
            if case .usedBefore(let revoked) = refusal { state.log.noteCodeReuse(revokedFamily: revoked) }
            throw TokenError(code: refusal)
        }
    }

    private func refresh(_ form: FormParameters, _ client: DevelopmentAuthorizationServer.Client) throws(TokenError) -> IssuedTokens {
        guard let token = form["refresh_token"] else {
            throw TokenError(code: .invalidRequest, description: "The refresh_token is missing.", gitHubCode: .badRefreshToken)
        }
        let scope = form["scope"].map { $0.split(separator: " ").map(String.init) }
        let outcome = state.grants.withLock { ledger in
            Result { () throws(GrantRefusal) in
                try ledger.refresh(token, clientID: client.id, scope: scope, at: state.now)
            }
        }
        switch outcome {
        case .success(let tokens):
            state.log.noteRefresh()
            return tokens
        case .failure(let refusal):
            if case .usedBefore(let revoked) = refusal { state.log.noteRefreshTokenReuse(revokedFamily: revoked) }
            throw TokenError(refreshToken: refusal)
        }
    }

    private func style(for client: DevelopmentAuthorizationServer.Client) -> TokenStyle {
        let lifetimes = state.configuration.lifetimes
        return switch (state.persona, client.kind) {
        case (.gitHub, .oauthApp):
            TokenStyle(
                accessTokenPrefix: "gho_", accessTokenLifetime: nil, refreshTokenPrefix: "", refreshTokenLifetime: nil,
                refreshEndsAccessTokens: false)
        case (.gitHub, .gitHubApp):
            TokenStyle(
                accessTokenPrefix: "ghu_", accessTokenLifetime: lifetimes.accessToken, refreshTokenPrefix: "ghr_",
                refreshTokenLifetime: lifetimes.refreshToken, refreshEndsAccessTokens: true)
        case (.openID, _):
            TokenStyle(
                accessTokenPrefix: "", accessTokenLifetime: lifetimes.accessToken, refreshTokenPrefix: "",
                refreshTokenLifetime: lifetimes.refreshToken, refreshEndsAccessTokens: false)
        }
    }
}

// MARK: - Answers

extension TokenEndpoint {
    /// RFC 6749 §5.1, OpenID Connect Core 1.0 §3.1.3.3.
    private func standardAnswer(_ tokens: IssuedTokens, isRefresh: Bool) throws(TokenError) -> Answer {
        var members = JSONObject()
        members["access_token"] = .string(tokens.accessToken)
        members["token_type"] = "Bearer"
        members["expires_in"] = tokens.accessTokenLifetime.map { .number(JSONNumber($0.components.seconds)) }
        members["refresh_token"] = tokens.refreshToken.map { .string($0) }
        members["scope"] = .string(tokens.scope.joined(separator: " "))
        if tokens.scope.contains("openid") {
            members["id_token"] = state.idToken(for: tokens, isRefresh: isRefresh).map { .string($0) }
        }
        return Answer.json(.object(members)).notStored()
    }

    private static func gitHubParameters(_ tokens: IssuedTokens) -> FormParameters {
        var parameters: FormParameters = ["access_token": tokens.accessToken]
        parameters.append("expires_in", ifPresent: tokens.accessTokenLifetime.map { String($0.components.seconds) })
        parameters.append("refresh_token", ifPresent: tokens.refreshToken)
        parameters.append("refresh_token_expires_in", ifPresent: tokens.refreshTokenLifetime.map { String($0.components.seconds) })
        parameters.append("scope", tokens.scope.joined(separator: ","))
        parameters.append("token_type", "bearer")
        return parameters
    }

    /// As a form, unless JSON is asked for; whole numbers are numbers in JSON.
    private static func gitHubAnswer(_ parameters: FormParameters, to request: IncomingRequest) -> Answer {
        guard request.headers[.accept]?.lowercased().contains("json") ?? false else { return Answer.form(parameters).notStored() }
        var members = JSONObject()
        for parameter in parameters.parameters {
            let number = parameter.name.hasSuffix("expires_in") ? Int64(parameter.value) : nil
            members[parameter.name] = number.map { .number(JSONNumber($0)) } ?? .string(parameter.value)
        }
        return Answer.json(.object(members)).notStored()
    }
}
