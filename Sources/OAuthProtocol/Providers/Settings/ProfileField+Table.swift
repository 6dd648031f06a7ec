import AuthHubPrimitives

extension ProfileField {
    /// All members that a profile's file may have, in the order they are written.
    static var all: [Self] { provider + quirks }

    /// What every profile has.
    private static var provider: [Self] { basics + endpoints + authorization + client }

    /// Where a provider differs from the specifications: members of ``ProviderQuirks``.
    static var quirks: [Self] { authorizationQuirks + requestQuirks + responseQuirks + otherQuirks + git + registration }

    private static var basics: [Self] {
        [
            .text("name", \.name),
            .text("display_name", \.displayName),
            .text("issuer", \.issuer),
            .text("response_issuer", \.responseIssuer),
        ]
    }

    private static var endpoints: [Self] {
        Endpoints.Name.allCases.map { .text($0.rawValue, \.knownEndpoints[$0]) } + [
            .text("account_endpoint", \.accountEndpoint),
            .text("base_url", \.baseURL),
            .origins("resource_origins", \.resourceOrigins),
        ]
    }

    private static var authorization: [Self] {
        [
            Self("default_scope", \.defaultScope, is: "an array of scopes", to: { .texts($0.names) }) { json in
                json.onlyTexts.flatMap { $0.allSatisfy(Scope.isValid) ? Scope($0) : nil }
            },
            .text("scope_separator", \.scopeSeparator),
            Self("granted_scope_separators", \.grantedScopeSeparators, is: "an array of one-character strings") { separators in
                .texts(separators.map { String($0) }.sorted())
            } from: { json in
                json.onlyTexts.flatMap { $0.allSatisfy { $0.count == 1 } ? Set($0.compactMap(\.first)) : nil }
            },
            .parameters("authorization_parameters", \.authorizationParameters),
            .choice("pushed_authorization", \.pushedAuthorization),
        ]
    }

    private static var client: [Self] {
        [
            Self(
                "client_authentication", \.clientAuthentication,
                is: "one of \(ClientAuthenticationMethod.supported.map(\.rawValue).joined(separator: ", "))"
            ) { method in
                method.map { .string($0.rawValue) }
            } from: { json in
                json.string.map { ClientAuthenticationMethod(rawValue: $0) }.flatMap {
                    ClientAuthenticationMethod.supported.contains($0) ? .some($0) : nil
                }
            },
            Self("responses.default_token_type", \.defaultTokenType, is: "Bearer") { type in
                type.map { .string($0.rawValue) }
            } from: { json in
                json.string.flatMap(TokenType.init(rawValue:)).map { .some($0) }
            },
            Self(
                "revocation", \.revocation,
                is: "{\"style\": none, standard, github or authorized_by_token, \"url\": URL, \"method\": METHOD}"
            ) {
                $0.json
            } from: {
                RevocationStyle(json: $0)
            },
        ]
    }

    private static var authorizationQuirks: [Self] {
        [
            Self(
                "response_type", \.quirks.authorizationResponses.responseType,
                is:
                    "one of \(ResponseType.allCases.map(\.rawValue).joined(separator: ", ")); a session needs an access token, so id_token is not enough"
            ) {
                .string($0.rawValue)
            } from: {
                $0.string.flatMap(ResponseType.init(rawValue:))
            },
            .choice("response_mode", \.quirks.authorizationResponses.responseMode),
            .flag("omits_redirect_uri_for_response_type_token", \.quirks.authorizationResponses.omitsRedirectURIIfATokenIsRequested),
            .flag(
                "accepts_responses_without_state_because_the_provider_echoes_none",
                \.quirks.authorizationResponses.acceptsResponsesWithoutStateBecauseTheProviderEchoesNone),
            .text(
                "pin_page_without_state", \.quirks.authorizationResponses.pinPageWhoseTextIsAcceptedWithoutState),
            .text("user_parameter", \.quirks.authorizationResponses.userParameter),
            .text("scope_name", \.quirks.authorization.scopeName),
            .flag("callback_names_granted_scope", \.quirks.authorization.callbackNamesGrantedScope),
            Self(
                "code_challenge", \.quirks.authorization.codeChallenge,
                is: "s256, s256_in_hexadecimal, or {\"without_because_the_provider_refuses_it\": REASON}", to: { $0.json },
                from: { .init(json: $0) }),
        ]
    }

    private static var requestQuirks: [Self] {
        [
            .choice("client_without_secret", \.quirks.requests.clientWithoutSecret),
            .flag("devices_need_no_client_secret", \.quirks.requests.devicesNeedNoClientSecret),
            .choice("requests.encoding", \.quirks.requests.encoding),
            .text("requests.accept", \.quirks.requests.accept),
            .dictionary("requests.names", \.quirks.requests.names, to: { .string($0) }, from: { $0.nonEmptyText }),
            .choice("requests.assertion_audience", \.quirks.requests.assertionAudience),
            .flag("requests.omits_assertion_type", \.quirks.requests.omitsAssertionType),
            .dictionary("requests.headers", \.quirks.requests.headers, to: { .string($0) }, from: { $0.nonEmptyText }),
        ]
            + ProviderQuirks.RequestQuirks.Kind.allCases.map { kind in
                .parameters("requests.parameters_of_\(kind.rawValue)", \.quirks.requests[of: kind])
            }
    }

    private static var responseQuirks: [Self] {
        [
            .choices("responses.encodings", \.quirks.responses.encodings),
            .path("responses.envelope", \.quirks.responses.envelope),
            .path("responses.access_token", \.quirks.responses.accessToken),
            .path("responses.refresh_token", \.quirks.responses.refreshToken),
            .path("responses.token_type", \.quirks.responses.tokenType),
            .path("responses.scope", \.quirks.responses.scope),
            .flag("responses.scope_may_be_list", \.quirks.responses.scopeMayBeList),
            .path("responses.lifetime", \.quirks.responses.lifetime),
            .path("responses.expiry", \.quirks.responses.expiry),
            .path("responses.refresh_token_lifetime", \.quirks.responses.refreshTokenLifetime),
            .dictionary(
                "responses.token_types", \.quirks.responses.tokenTypes, to: { .string($0.rawValue) },
                from: { $0.string.flatMap(TokenType.init(rawValue:)) }),
            .dictionary(
                "responses.error_codes", \.quirks.responses.errorCodes, to: { .string($0.rawValue) },
                from: { $0.nonEmptyText.map(ServerErrorCode.init(rawValue:)) }),
            .flag("responses.accepts_ok_for_pushed_requests", \.quirks.responses.acceptsOKForPushedRequests),
            .flag("responses.accepts_ok_for_registrations", \.quirks.responses.acceptsOKForRegistrations),
            Self("responses.errors", \.quirks.responses.errors, is: "an array of objects with sign and code") { errors in
                .array(errors.map(\.json))
            } from: { json in
                json.array.flatMap { elements in
                    let errors = elements.compactMap { ProviderQuirks.ErrorFormat(json: $0) }
                    return errors.count == elements.count ? errors : nil
                }
            },
        ]
    }

    private static var otherQuirks: [Self] {
        [
            .choice("refresh_tokens", \.quirks.refreshTokens),
            .path("account.id", \.quirks.account.id),
            .path("account.name", \.quirks.account.name),
            .text("account.query", \.quirks.account.query),
            .dictionary("api_headers", \.quirks.api.headers, to: { .string($0) }, from: { $0.nonEmptyText }),
            .flag("follows_redirects_of_metadata", \.quirks.discovery.followsRedirectsOfMetadata),
            .text("issuer_template", \.quirks.discovery.issuerTemplate),
            .choice("nonce", \.quirks.identity.nonce),
            .texts("id_token_algorithms", \.quirks.identity.algorithms),
            .texts("other_issuers", \.quirks.identity.otherIssuers),
            .dictionary(
                "id_token_claims", \.quirks.identity.requiredClaims, to: { .string($0) }, from: { $0.nonEmptyText }),
            .flag("keys_have_issuers", \.quirks.identity.keysHaveIssuers),
            .text("no_id_token_because", \.quirks.identity.unavailableBecause),
            .flag("id_token_may_be_missing", \.quirks.identity.idTokenMayBeMissing),
            .flag("user_info_must_be_signed", \.quirks.identity.userInfoMustBeSigned),
            .flag("user_info_reads_form", \.quirks.identity.userInfoReadsForm),
            .flag("tries_all_fitting_keys", \.quirks.identity.triesAllFittingKeys),
        ]
    }

    private static var git: [Self] {
        [
            .text("git.user_name", \.quirks.git.userName),
            .flag("git.ignores_user_name", \.quirks.git.ignoresUserName),
            .origins("git.origins", \.quirks.git.origins),
        ]
    }

    private static var registration: [Self] {
        [
            .text("registration.documentation", \.quirks.registration.documentation),
            .text("registration.page", \.quirks.registration.page),
            .choices("registration.redirect_uris", \.quirks.registration.redirectURIs),
            .choice("registration.secret", \.quirks.registration.secret),
            .texts("registration.notes", \.quirks.registration.notes),
        ]
    }
}

extension ProviderQuirks.RequestQuirks {
    fileprivate subscript(of kind: Kind) -> FormParameters {
        get { parameters[kind] ?? [:] }
        set { parameters[kind] = newValue }
    }
}

extension ProviderProfile {
    /// The endpoints; empty until one is set.
    fileprivate var knownEndpoints: Endpoints {
        get { endpoints ?? Endpoints() }
        set { endpoints = newValue == Endpoints() ? nil : newValue }
    }
}
