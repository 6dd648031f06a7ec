import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that exchanges codes and refresh tokens for tokens (RFC 6749 §3.2).
struct TokenEndpoint: Sendable {
    let state: ServerState
    private var quirks: Persona.TokenRequestQuirks { state.persona.tokenRequests }

    func respond(to request: IncomingRequest) -> Answer {
        do throws(TokenError) {
            let tokens = state.signed(try narrowed(try tokens(for: request), by: request))
            return TokenAnswer(state: state, tokens: tokens).answer(to: request)
        } catch {
            return error.answer(from: state, to: request)
        }
    }

    private func tokens(for request: IncomingRequest) throws(TokenError) -> IssuedTokens {
        guard let form = state.parameters(of: request, encodedAs: quirks.encodings) else {
            throw TokenError(code: .invalidRequest, description: "This server does not accept the encoding of the body.")
        }
        if let demand = quirks.requiredHeaders.first(where: { !$0.isMet(by: request) }) {
            throw TokenError(code: .invalidRequest, description: "The header field \(demand.name) is missing or wrong.")
        }
        let names = form.parameters.map(\.name).filter { !Self.repeatable.contains($0) }
        guard Set(names).count == names.count else { throw TokenError(code: .invalidRequest, description: "A parameter occurs twice.") }
        let client: DevelopmentClient
        if form["grant_type"] == Self.deviceGrantType || isRefreshOfDevice(form) {
            client = try state.authenticateDevice(of: request, form: form)
        } else {
            do throws(ClientAuthenticationError) {
                client = try state.authenticateClient(of: request, form: form)
            } catch {
                throw TokenError(error)
            }
        }
        try checkResources(of: form)
        switch form["grant_type"] ?? quirks.defaultGrantType {
        case "client_credentials" where state.persona.isOpenIDProvider: return try clientCredentials(form, client)
        case Self.tokenExchangeGrantType where state.persona.isOpenIDProvider: return try exchangeToken(form, client)
        case Self.assertionGrantType where state.persona.isOpenIDProvider: return try acceptAssertion(form, client)
        case "authorization_code": return try exchangeCode(form, client)
        case "refresh_token": return try refresh(form, client)
        case Self.deviceGrantType where state.persona.device != nil: return try pollDevice(form, client)
        case nil: throw TokenError(code: .invalidRequest, description: "The grant_type is missing.")
        default:
            throw TokenError(
                code: .unsupportedGrantType, description: "This grant_type is not supported.", occasion: .grantType)
        }
    }

    private func exchangeCode(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        guard let code = form["code"] else { throw TokenError(code: .invalidRequest, description: "The code is missing.") }
        let outcome = state.grants.withLock { ledger in
            Result { () throws(GrantRefusal) in
                try ledger.redeem(
                    code: code, clientID: client.id, redirectURI: form["redirect_uri"],
                    redirectURIIsOptional: quirks.redirectURIMayBeLeftOut,
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

    private func refresh(_ form: FormParameters, _ client: DevelopmentClient) throws(TokenError) -> IssuedTokens {
        guard let token = form["refresh_token"] else {
            throw TokenError(code: .invalidRequest, description: "The refresh_token is missing.", occasion: .refreshToken)
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

    private func style(for client: DevelopmentClient) -> TokenStyle {
        TokenStyle(state.persona.tokens(for: client), lifetimes: state.configuration.lifetimes)
    }
}
