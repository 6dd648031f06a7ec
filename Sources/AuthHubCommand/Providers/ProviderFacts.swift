import AuthHubPrimitives
import OAuthProtocol

/// Human-readable facts about a provider: its URLs, the requirements for registering a client, and its quirks.
struct ProviderFacts {
    let profile: ProviderProfile
    let place: BuiltInProvider.Place

    init(_ profile: ProviderProfile, place: BuiltInProvider.Place) {
        self.profile = profile
        self.place = place
    }

    init(_ known: BuiltInProvider) throws(Failure) {
        self.init(try NamedProvider.known(known).example(), place: known.place)
    }

    static var knownProviders: [BuiltInProvider] { ProviderProfile.builtIn }

    var name: String { profile.name }
    private var registration: ProviderQuirks.RegistrationGuide { profile.quirks.registration }
}

extension ProviderFacts {
    private var address: String {
        profile.issuer ?? profile.endpoints?.authorization.flatMap { Origin(url: $0)?.description } ?? ""
    }

    func row(isAdded: Bool) -> [String] {
        [
            name, profile.displayName + (isAdded ? " (added)" : ""), registration.secret.words, profile.quirks.refreshTokens.words,
            address,
        ]
    }

    func summary(isAdded: Bool) -> JSONValue {
        [
            "name": .string(name), "display_name": .string(profile.displayName), "added": .bool(isAdded),
            "secret": .string(registration.secret.rawValue), "refresh_tokens": .string(profile.quirks.refreshTokens.rawValue),
            "needs_place": .bool(place == .url(default: nil)),
        ]
    }

    func text(_ style: Style) -> String {
        var lines: [(String, String)] = [("provider", style(name, .bold)), ("display name", profile.displayName)]
        switch place {
        case .fixed: break
        case .url(let address): lines.append(("place", "--web URL" + (address.map { " (default: \($0))" } ?? " (required)")))
        case .tenant(let tenant): lines.append(("place", "--tenant NAME (default: \(tenant))"))
        }
        if let issuer = profile.issuer { lines.append(("issuer", issuer)) }
        for name in Endpoints.Name.allCases {
            if let address = profile.endpoints?[name] { lines.append((name.words, address)) }
        }
        if let account = profile.accountEndpoint { lines.append(("account", account)) }
        if let base = profile.apiBaseURL { lines.append(("base URL", base)) }
        lines.append(("scope", profile.defaultScope.isEmpty ? "none" : profile.defaultScope.names.joined(separator: ", ")))
        lines.append(("refresh token", profile.quirks.refreshTokens.words))
        lines.append(("revokes", profile.revocation.words(hasEndpoint: profile.endpoints?.revocation != nil)))
        if case .withoutCodeChallengeBecauseTheProviderRejectsIt(let reason) = profile.quirks.authorization.codeChallenge {
            lines.append(("without PKCE", reason))
        }
        lines += registrationLines
        return style.facts(lines)
    }

    private var registrationLines: [(String, String)] {
        var lines: [(String, String)] = []
        if let page = registration.page { lines.append(("register at", page)) }
        if let documentation = registration.documentation { lines.append(("documentation", documentation)) }
        lines.append(("secret", registration.secret.words))
        for (index, form) in registration.redirectURIs.enumerated() { lines.append((index == 0 ? "redirect URI" : "or", form.words)) }
        for note in registration.notes { lines.append(("note", note)) }
        lines.append(("sign in", signIn))
        return lines
    }

    private var signIn: String {
        let place = place == .url(default: nil) ? " --web URL" : ""
        return "authhub login \(name)\(place) \(RegistrationAdvice(profile).options)"
    }
}

extension Endpoints.Name {
    fileprivate var words: String {
        rawValue.replacing("_endpoint", with: "").replacing("_uri", with: "").replacing("_", with: " ")
    }
}

extension ProviderQuirks.RegistrationGuide.Secret {
    var words: String {
        switch self {
        case .required: "required"
        case .optional: "for some clients"
        case .none: "none"
        }
    }
}

extension ProviderQuirks.RefreshTokens {
    var words: String {
        switch self {
        case .asIssued: "as issued"
        case .rotated: "replaced at each refresh"
        case .kept: "stays the same"
        case .none: "none"
        }
    }
}

extension ProviderQuirks.RegistrationGuide.RedirectURIForm {
    var words: String {
        switch self {
        case .loopbackAnyPort: "http://127.0.0.1/callback, with any port"
        case .loopbackFixedPort: "http://127.0.0.1:PORT/callback, with the registered port: login --port PORT"
        case .localhost: "http://localhost/callback"
        case .customScheme: "com.example.app:/callback"
        case .https: "https://app.example.com/callback"
        }
    }
}

extension RevocationStyle {
    func words(hasEndpoint: Bool) -> String {
        switch self {
        case .none: "none"
        case .standard: hasEndpoint ? "at its endpoint" : "if its metadata names an endpoint"
        case .gitHub: "with the client's secret"
        case .authorizedByToken: "authorized by the token itself"
        }
    }
}
