import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

extension SignInService {
    /// Finds out whether the sign-in begins at a protected resource.
    ///
    /// - Returns: nil for a sign-in at a provider or an issuer.
    func findResource() async throws(Failure) -> LoginResource? {
        guard let url = try await resourceURL() else {
            guard request.resource.typed.isEmpty else {
                throw .usage(
                    "\(request.resource.typed.joined(separator: " and ")) can be used only with the URL of a resource",
                    hint: "authhub login https://HOST/PATH")
            }
            return nil
        }
        try checkOptions()
        let accounts = await accounts(for: url)
        let isNamed = request.isAccountNamed
        // What the user has allowed for another account does not count.
        let known = (isNamed ? accounts.first { $0.label.hasSameBytes(as: request.account.label) } : accounts.first)?.settings
        let earlier = (known ?? accounts.first?.settings).map {
            EarlierSignIn(
                at: $0.provider.name, isConfirmed: known?.isIssuerConfirmed ?? false, skipsProofKeyCheck: known?.skipsProofKeyCheck ?? false
            )
        }
        let allowsLoopback = request.provider.transport != .httpsOnly || known?.allowsInsecureLoopback ?? false
        let allowsPrivateServers = request.resource.allowsPrivateServers || known?.allowsPrivateServers ?? false
        let transport = allowsLoopback ? TransportPolicy.insecureHTTPOnLoopbackForDevelopment : .httpsOnly
        let discovery = ServerDiscovery(
            dependencies: network.dependenciesForThirdParties,
            transport: transport,
            allowedHosts: HostPolicy(for: transport, allowsPrivateServers: allowsPrivateServers))
        func protection(after challenge: String?) async throws(Failure) -> ResourceProtection? {
            do throws(SessionError) {
                return try await discovery.protection(
                    of: url, challenge: challenge, issuer: request.resource.issuer, earlier: earlier,
                    usesCodes: request.flow.usesRedirectURI, requiresProofKeys: !request.resource.skipsProofKeyCheck,
                    assumesOrigin: request.resource.assumesOrigin || known?.assumesOrigin ?? false)
            } catch {
                throw resourceFailure(error, at: url)
            }
        }
        var found = try await protection(after: request.resource.challenge)
        if let first = found, known == nil, let challenge = try await laterChallenge(of: first, at: url), request.provider.scope == nil {
            found = try await protection(after: challenge)
        }
        found?.isForUser = request.flow.hasUser
        guard let found, let indicator = found.indicator else {
            guard request.resource.clientIDDocument == nil else {
                throw .usage(
                    "--client-id-document can be used only with the URL of a resource; \(url) is an issuer",
                    hint: "authhub login \(url.shellWord) --client-id URL")
            }
            return nil
        }
        try request.provider.checkForResource()
        // What the user has accepted from one server says nothing about another one.
        let accepted = known.flatMap { $0.provider.name.hasSameBytes(as: found.server.issuer) ? $0 : nil }
        return LoginResource(
            url: url, protection: found, indicator: indicator, label: try await label(for: indicator),
            allowsPrivateServers: allowsPrivateServers,
            skipsProofKeyCheck: request.resource.skipsProofKeyCheck || accepted?.skipsProofKeyCheck ?? false,
            omitsResourceParameter: request.resource.omitsParameter || accepted?.omitsResourceParameter ?? false)
    }

    /// Sends a first message to a resource that does not accept GET, because some servers send their challenge only then.
    ///
    /// - Returns: The challenge; nil if there is none.
    /// - Throws: ``Failure`` if the URL does not exist, but the metadata describes a resource above it.
    private func laterChallenge(of first: ResourceProtection, at url: String) async throws(Failure) -> String? {
        guard !first.acceptsGET, request.resource.challenge == nil, let response = await firstResponse(at: url) else { return nil }
        if response.status == .notFound, let other = first.indicator?.text, !other.hasSameBytes(as: url) {
            throw Failure(
                "http_404", .failed, "nothing was found at \(url) (404), but \(other) is an API",
                hint: "check the URL; for \(other): "
                    + (command(with: other, insteadOf: url) ?? "authhub login \(other.shellWord)\(resourceOptions)"))
        }
        return response.status == .unauthorized && !response.challenges.isEmpty ? response.challenges : nil
    }

    /// The options of the suggested commands that sign in at a resource, with a space before each.
    var resourceOptions: String { request.provider.transport.suffix + request.accountSuffix }

    /// The failure of a search, with the option or the URL to type if there is one.
    func resourceFailure(_ error: SessionError, at url: String) -> Failure {
        let plain = "authhub login \(url.shellWord)\(resourceOptions)"
        let login = command(with: url, insteadOf: url) ?? plain
        let failure = Failure(error, login: login)
        if let other = error.otherIssuer, other.requested.hasSameBytes(as: url) {
            return failure.hinting(other.hint { command(with: $0, insteadOf: url) ?? "authhub login \($0.shellWord)\(resourceOptions)" })
        }
        if error.underlying is NothingFound {
            return Failure(
                Self.nothingFound, failure.exit, failure.message,
                hint: "check the URL; for a server without metadata: "
                    + "\(plain) --client-id ID --authorization-endpoint URL --token-endpoint URL")
        }
        if error.underlying is NoResourceMetadata {
            return failure.hinting(
                "if the server follows MCP 2025-03-26: \(login) --without-resource-metadata; if you have a token for it: "
                    + "authhub mcp proxy \(url.shellWord)\(request.provider.transport.suffix) --header Authorization=@FILE")
        }
        switch error.underlying as? ResourceAdvice {
        case .issuers(let issuers):
            guard let first = issuers.first else { return failure }
            let login = command(with: url, insteadOf: url, leavingOut: ["--issuer"]) ?? plain
            return failure.hinting("if it is the right one: \(login) --issuer \(first.shellWord)")
        case .resource(let other): return failure.hinting("if you trust that URL: authhub login \(other.shellWord)\(resourceOptions)")
        case .privateServers: return failure.hinting("if you trust the resource: \(login) --allow-private-servers")
        case .withoutProofKeys:
            return failure.hinting("if its operator confirms that it supports PKCE with S256: \(login) --without-pkce-check")
        case .otherProofKeys: return failure.hinting("report this to the server's operator")
        case nil:
            guard error.code == .securityCheckFailed, error.underlying is OAuthError else { return failure }
            return failure.hinting("if you trust the URL that the metadata describes: authhub login URL\(resourceOptions)")
        }
    }

    /// Returns the command as it was typed, but with another URL and without some options; nil if it was not, or if no option can
    /// follow.
    func command(with other: String, insteadOf url: String, leavingOut options: Set<String> = []) -> String? {
        guard let words = request.words, words.contains(url), !words.contains("--") else { return nil }
        let kept = ProcessArguments.leavingOut(options, of: words)
        return (["authhub"] + kept.map { $0 == url ? other : $0 }).map(\.shellWord).joined(separator: " ")
    }

    /// Checks everything that needs no network, before the URL is requested.
    private func checkOptions() throws(Failure) {
        guard request.provider.name != nil else { return }
        var typed = request.provider
        (typed.client.secretFile, typed.client.privateKeyFile) = (nil, nil)
        // The URL may be that of a resource, which may have one.
        typed.name = typed.name.map { String($0.prefix { $0 != "?" }) }
        _ = try typed.settings(
            known: nil, label: request.account.label, client: .asked(OAuthClient(id: typed.client.id ?? "client")), needsCallback: false)
    }

    /// Returns the same service at the resource's server.
    func signingIn(at target: LoginResource) -> Self {
        changing { request in
            request.provider.name = target.issuer
            request.account.typedLabel = target.label
            if let document = request.resource.clientIDDocument, target.protection.server.supportsClientIDDocuments {
                request.provider.client.id = document
            }
        }
    }

    /// Returns the accounts whose tokens are for a resource.
    func accounts(for resource: String) async -> [(label: String, settings: AccountSettings)] {
        await book.readable().filter { $0.settings.resource?.text.hasSameBytes(as: resource) ?? false }
    }

    /// Returns the URL that may be a resource; nil if the request certainly is about a provider.
    private func resourceURL() async throws(Failure) -> String? {
        guard request.provider.settingsFile == nil, request.token == nil else { return nil }
        guard let url = request.provider.name else {
            return (try? await book.settings(of: request.account.label))?.resource?.text
        }
        guard url.contains("://") else { return nil }
        try request.provider.transport.check(url, "the URL of an issuer or an API", hint: "authhub login https://HOST/PATH")
        guard request.provider.overrides.authorization == nil, request.provider.overrides.token == nil else { return nil }
        guard request.resource.typed.isEmpty else { return url }
        return await isKnownIssuer(url) ? nil : url
    }

    /// Whether an account or a client belongs to a URL as an issuer.
    private func isKnownIssuer(_ url: String) async -> Bool {
        for (_, settings) in await book.readable() {
            if settings.resource?.text.hasSameBytes(as: url) ?? false { return false }
            if settings.resource == nil, settings.provider.isIssuer, settings.provider.name.hasSameBytes(as: url) { return true }
        }
        if let clients = try? await ClientBook(store: store).all(), clients.contains(where: { $0.provider.hasSameBytes(as: url) }) {
            return true
        }
        return ((try? await RegistrationBook(store: store).registration(RegistrationKey(issuer: url))) ?? nil) != nil
    }

    /// Returns the label of the account for a resource: the typed one, that of an account for the same resource, or one made from the URL.
    private func label(for indicator: ResourceIndicator) async throws(Failure) -> String {
        guard request.provider.name != nil, !request.isAccountNamed else { return request.account.label }
        let labels = await accounts(for: indicator.text).map(\.label)
        guard labels.count < 2 else {
            throw Failure(
                "ambiguous_account", .usage, "several accounts are for \(indicator): \(labels.joined(separator: ", "))",
                hint: "add --as NAME")
        }
        return labels.first ?? indicator.label
    }
}

extension ResourceIndicator {
    /// A label for the account of the resource: the host, and the path if there is one.
    fileprivate var label: String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let trimmed = rest.hasSuffix("/") ? rest.dropLast() : rest
        let name = String(trimmed.prefix { $0 != "?" }.prefix(100))
        return (try? AccountOptions.check(name)) == nil ? AccountOptions.defaultLabel : name
    }
}
