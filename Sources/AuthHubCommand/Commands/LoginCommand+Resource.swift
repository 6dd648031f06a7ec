import ArgumentParser
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

extension LoginCommand {
    /// Finds out whether the sign-in begins at a protected resource.
    ///
    /// - Returns: nil for a sign-in at a provider or an issuer.
    func findResource(in store: any CredentialInventory) async throws(Failure) -> LoginResource? {
        let book = AccountBook(store: store)
        guard let url = try await resourceURL(in: book) else {
            guard resource.typed.isEmpty else {
                throw .usage(
                    "\(resource.typed.joined(separator: " and ")) can be used only with the URL of a resource",
                    hint: "authhub login https://HOST/PATH")
            }
            return nil
        }
        try checkOptions()
        let accounts = await accounts(for: url, in: book)
        let isNamed = AccountChoice.isNamed
        // What the user has allowed for another account does not count.
        let known = (isNamed ? accounts.first { $0.label.hasSameBytes(as: account.label) } : accounts.first)?.settings
        let earlier = (known ?? accounts.first?.settings).map {
            EarlierSignIn(
                at: $0.provider.name, isConfirmed: known?.isIssuerConfirmed ?? false, skipsProofKeyCheck: known?.skipsProofKeyCheck ?? false
            )
        }
        let allowsLoopback = provider.loopback.allowInsecureLoopback || known?.allowsInsecureLoopback ?? false
        let allowsPrivateServers = resource.allowPrivateServers || known?.allowsPrivateServers ?? false
        let transport = allowsLoopback ? TransportPolicy.insecureHTTPOnLoopbackForDevelopment : .httpsOnly
        let discovery = ServerDiscovery(
            dependencies: ToolNetwork.current.dependenciesForThirdParties,
            transport: transport,
            allowedHosts: HostPolicy(for: transport, allowsPrivateServers: allowsPrivateServers))
        func protection(after challenge: String?) async throws(Failure) -> ResourceProtection? {
            do throws(SessionError) {
                return try await discovery.protection(
                    of: url, challenge: challenge, issuer: resource.issuer, earlier: earlier, usesCodes: flow.flow.usesRedirectURI,
                    requiresProofKeys: !resource.withoutPKCECheck,
                    assumesOrigin: resource.withoutResourceMetadata || known?.assumesOrigin ?? false)
            } catch {
                throw resourceFailure(error, at: url)
            }
        }
        var found = try await protection(after: resource.challenge)
        if let first = found, known == nil, let challenge = try await laterChallenge(of: first, at: url), provider.scope == nil {
            found = try await protection(after: challenge)
        }
        found?.isForUser = flow.flow.hasUser
        guard let found, let indicator = found.indicator else {
            guard resource.clientIDDocument == nil else {
                throw .usage(
                    "--client-id-document can be used only with the URL of a resource; \(url) is an issuer",
                    hint: "authhub login \(url.shellWord) --client-id URL")
            }
            return nil
        }
        try provider.checkForResource()
        // What the user has accepted from one server says nothing about another one.
        let accepted = known.flatMap { $0.provider.name.hasSameBytes(as: found.server.issuer) ? $0 : nil }
        return LoginResource(
            url: url, protection: found, indicator: indicator, label: try await label(for: indicator, in: book),
            allowsPrivateServers: allowsPrivateServers,
            skipsProofKeyCheck: resource.withoutPKCECheck || accepted?.skipsProofKeyCheck ?? false,
            omitsResourceParameter: resource.withoutResource || accepted?.omitsResourceParameter ?? false)
    }

    /// Sends a first message to a resource that does not accept GET, because some servers send their challenge only then.
    ///
    /// - Returns: The challenge; nil if there is none.
    /// - Throws: ``Failure`` if the URL does not exist, but the metadata describes a resource above it.
    private func laterChallenge(of first: ResourceProtection, at url: String) async throws(Failure) -> String? {
        guard !first.acceptsGET, resource.challenge == nil, let response = await firstResponse(at: url) else { return nil }
        if response.status == .notFound, let other = first.indicator?.text, !other.hasSameBytes(as: url) {
            throw Failure(
                "http_404", .failed, "nothing was found at \(url) (404), but \(other) is an API",
                hint: "check the URL; for \(other): "
                    + (command(with: other, insteadOf: url) ?? "authhub login \(other.shellWord)\(options)"))
        }
        return response.status == .unauthorized && !response.challenges.isEmpty ? response.challenges : nil
    }

    /// The options of the suggested commands that sign in at a resource, with a space before each.
    private var options: String { provider.loopback.suffix + account.chosenSuffix }

    /// The failure of a search, with the option or the URL to type if there is one.
    private func resourceFailure(_ error: SessionError, at url: String) -> Failure {
        let plain = "authhub login \(url.shellWord)\(options)"
        let login = command(with: url, insteadOf: url) ?? plain
        let failure = Failure(error, login: login)
        if let other = error.otherIssuer, other.requested.hasSameBytes(as: url) {
            return failure.hinting(other.hint { command(with: $0, insteadOf: url) ?? "authhub login \($0.shellWord)\(options)" })
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
                    + "authhub mcp proxy \(url.shellWord)\(provider.loopback.suffix) --header Authorization=@FILE")
        }
        switch error.underlying as? ResourceAdvice {
        case .issuers(let issuers):
            guard let first = issuers.first else { return failure }
            let login = command(with: url, insteadOf: url, leavingOut: ["--issuer"]) ?? plain
            return failure.hinting("if it is the right one: \(login) --issuer \(first.shellWord)")
        case .resource(let other): return failure.hinting("if you trust that URL: authhub login \(other.shellWord)\(options)")
        case .privateServers: return failure.hinting("if you trust the resource: \(login) --allow-private-servers")
        case .withoutProofKeys:
            return failure.hinting("if its operator confirms that it supports PKCE with S256: \(login) --without-pkce-check")
        case .otherProofKeys: return failure.hinting("report this to the server's operator")
        case nil:
            guard error.code == .securityCheckFailed, error.underlying is OAuthError else { return failure }
            return failure.hinting("if you trust the URL that the metadata describes: authhub login URL\(options)")
        }
    }

    /// Returns the command as it was typed, but with another URL and without some options; nil if the URL was not typed, or if no option
    /// can follow.
    func command(with other: String, insteadOf url: String, leavingOut options: Set<String> = []) -> String? {
        guard let words = ProcessArguments.command, words.first == "login", words.contains(url), !words.contains("--") else { return nil }
        let kept = ProcessArguments.leavingOut(options, of: words)
        return (["authhub"] + kept.map { $0 == url ? other : $0 }).map(\.shellWord).joined(separator: " ")
    }

    /// Checks everything that needs no network, before the URL is requested.
    private func checkOptions() throws(Failure) {
        guard provider.provider != nil else { return }
        var typed = provider
        typed.client.clientSecretFile = nil
        typed.client.privateKeyFile = nil
        // The URL may be that of a resource, which may have one.
        typed.provider = typed.provider.map { String($0.prefix { $0 != "?" }) }
        _ = try typed.settings(
            known: nil, label: account.label, client: .asked(OAuthClient(id: typed.client.clientID ?? "client")), needsCallback: false)
    }

    /// Creates the command for a resource that requires a sign-in.
    ///
    /// - Parameters:
    ///   - challenge: The header field with which the resource rejected a request; nil if there was none.
    ///   - account: The account; its label counts only if the user named it.
    static func forResource(
        _ url: String, challenge: String?, account: AccountOptions, _ loopback: LoopbackOptions, _ browser: BrowserOptions? = nil
    ) throws(Failure) -> Self {
        var command: Self
        do {
            command = try Self.parse([url] + (challenge.map { ["--challenge", $0] } ?? []))
        } catch {
            throw .usage("the server's challenge cannot be used", hint: "authhub login \(url.shellWord)\(loopback.suffix)")
        }
        command.provider.loopback = loopback
        command.account = account
        if !AccountChoice.isNamed { command.account.typedLabel = nil }
        if let browser { command.browser = browser }
        return command
    }

    /// Returns the same login at the resource's server.
    func signingIn(at target: LoginResource) -> Self {
        var command = self
        command.provider.provider = target.issuer
        command.account.typedLabel = target.label
        if let document = resource.clientIDDocument, target.protection.server.supportsClientIDDocuments {
            command.provider.client.clientID = document
        }
        return command
    }

    /// Checks that the resource does not lead to a different issuer than the accounts that exist for it, unless that is allowed.
    func checkIssuer(
        of target: LoginResource, known: AccountSettings?, allowsOther: Bool, in book: AccountBook, _ console: Console
    ) async throws(Failure) {
        if let known, target.hasOtherIssuer(than: known), !allowsOther { throw target.issuerChanged(from: known, options) }
        guard known?.resource != target.indicator else { return }
        if let known, let name = try? known.account(label: account.label),
            try await Failure.translating({ try await book.hasCredential(name) })
        {
            let present = known.resource.map { "for \($0)" } ?? "to \(known.displayName) as client \(known.client.id)"
            throw Failure(
                "label_taken", .failed, "“\(account.label)” is signed in \(present), not for \(target.indicator)",
                hint: "authhub logout\(account.suffix) first, or add --as NAME to keep both")
        }
        for label in (try? await book.list().labels) ?? [] {
            guard let other = try? await book.settings(of: label), target.competes(with: other) else { continue }
            guard allowsOther else { throw target.issuerChanged(from: other, options) }
            console.warn(
                "the account “\(label)” is\(other.resource.map { " for \($0)" } ?? "") at \(other.provider.name); this sign-in is at \(target.issuer)"
            )
        }
    }

    /// Asks whether a resource may get tokens of an issuer that the user has accounts or clients at, unless something shows that the issuer
    /// knows the resource.
    ///
    /// - Parameter asks: Whether the user has typed the command, and can answer.
    func confirmIssuer(
        of target: inout LoginResource, known: AccountSettings?, asks: Bool, in store: any CredentialInventory, _ console: Console
    ) async throws(Failure) {
        guard known?.resource != target.indicator || target.hasOtherIssuer(than: known) else { return }
        let issuer = target.issuer
        var uses = try await Failure.translating { [target] in try await target.protection.otherUses(in: store) }
        if uses.isEmpty, !target.protection.isConfirmed, !target.protection.isKnownToIssuer,
            try await ClientBook(store: store).all().contains(where: { $0.server.hasSameBytes(as: issuer) })
        {
            uses = ["a remembered client"]
        }
        guard !uses.isEmpty else { return }
        let failure = resourceFailure(target.protection.unconfirmed(uses), at: target.url)
        let question =
            "\(target.indicator) wants tokens of \(issuer), which you also use (\(uses.joined(separator: ", "))). May it get them?"
        guard asks, try await Confirmation(console: console).asks(question) else { throw failure }
        target.protection.isConfirmed = true
    }

    /// Limits the settings to the resource, and adds the scope and the redirect URIs for it.
    func limit(
        _ settings: inout AccountSettings, to target: LoginResource, known: AccountSettings?, _ found: FoundClient?, needsCallback: Bool,
        in store: any CredentialInventory
    ) async throws(Failure) {
        try checkClient(of: target, known: known, settings, found)
        target.bind(&settings)
        if provider.scope == nil { settings.scope = target.scope(after: known) }
        if needsCallback { await provider.addRedirectURIs(to: &settings, in: store) }
    }

    /// Whether the account gets another client of the same server, because the registration of its own was deleted.
    func hasLostClient(_ known: AccountSettings?, _ settings: AccountSettings, at target: LoginResource) -> Bool {
        guard let known, known.resource == target.indicator, known.hasRegisteredClient, provider.client.clientID == nil else {
            return false
        }
        return !known.client.id.hasSameBytes(as: settings.client.id)
    }

    /// Warns about a resource whose server is not described, or is a different one than before.
    ///
    /// - Parameter former: The account at the server before; nil if it is the same.
    func warn(about target: LoginResource, former: AccountSettings?, on console: Console) {
        if target.protection.isAssumed {
            console.warn(
                "\(target.indicator) does not name its authorization server; signing in at \(target.issuer), as old MCP servers expect")
        }
        if let former, target.hasOtherIssuer(than: former) { console.warn(target.protection.change(from: former.provider.name)) }
        if !target.indicator.text.hasSameBytes(as: target.url) {
            console.warn("\(target.url) has no metadata of its own; the sign-in is for \(target.indicator) and all URLs below it")
        }
        if let issuer = Origin(url: target.issuer), issuer != target.indicator.origin {
            console.say("Tokens of \(target.issuer) will be sent to \(target.indicator).")
        }
    }

    /// Checks that credentials that were registered at the resource's former server are not shown to another one.
    func checkClient(of target: LoginResource, known: AccountSettings?, _ settings: AccountSettings, _ found: FoundClient?) throws(Failure)
    {
        let isKnown = known.map { $0.resource == target.indicator && !target.hasOtherIssuer(than: $0) } ?? false
        let typed = provider.client
        let isTyped = typed.clientSecretFile != nil && typed.clientAuth != .clientSecretJWT
        // A token of a client that is remembered, or that belongs to another account, may be worth more than the resource.
        let authenticates = settings.client.secret != nil || settings.client.keys != nil
        var isBorrowed =
            found == nil && typed.clientSecretFile == nil && typed.privateKeyFile == nil && !settings.hasRegisteredClient && authenticates
        if case .remembered = found { isBorrowed = true }
        let isAllowed = isKnown || target.protection.isConfirmed
        guard isAllowed || !(isTyped || isBorrowed) else {
            throw .usage(
                "\(target.indicator) names \(target.issuer) as its server, but nothing shows that this server may have the client's secret, or that the resource may have the client's tokens",
                hint: "if it may, add --issuer \(target.issuer.shellWord)")
        }
        let isFromEnvironment =
            typed.clientID == nil && ProviderOptions.clientIDOfEnvironment.map { $0.hasSameBytes(as: settings.client.id) } ?? false
        guard isAllowed || !isFromEnvironment || target.protection.isKnownToIssuer else {
            throw .usage(
                "\(target.indicator) names \(target.issuer) as its server, but nothing shows that the resource may have tokens of the client in AUTHHUB_CLIENT_ID",
                hint: "if it may, add --issuer \(target.issuer.shellWord); otherwise, unset AUTHHUB_CLIENT_ID")
        }
        guard target.hasOtherIssuer(than: known), let known, let id = provider.client.clientID, id.hasSameBytes(as: known.client.id),
            !id.contains("://")
        else { return }
        throw .usage(
            "\(target.indicator) now names \(target.issuer) as its server, but the client \(displayable(id, limit: 100)) is registered at \(known.provider.name)",
            hint: "leave out --client-id, or name a client that is registered there")
    }

    /// Returns the accounts whose tokens are for a resource.
    func accounts(for resource: String, in book: AccountBook) async -> [(label: String, settings: AccountSettings)] {
        var accounts: [(label: String, settings: AccountSettings)] = []
        for label in (try? await book.list().labels) ?? [] {
            guard let settings = try? await book.settings(of: label), settings.resource?.text.hasSameBytes(as: resource) ?? false else {
                continue
            }
            accounts.append((label, settings))
        }
        return accounts
    }

    /// Returns the URL that may be a resource; nil if the command certainly is about a provider.
    private func resourceURL(in book: AccountBook) async throws(Failure) -> String? {
        guard provider.settings == nil, brought.typed == nil else { return nil }
        guard let url = provider.provider else {
            return (try? await book.settings(of: account.label))?.resource?.text
        }
        guard url.contains("://") else { return nil }
        try provider.loopback.check(url, "the URL of an issuer or an API", hint: "authhub login https://HOST/PATH")
        guard provider.authorizationEndpoint == nil, provider.tokenEndpoint == nil else { return nil }
        guard resource.typed.isEmpty else { return url }
        return await isKnownIssuer(url, in: book) ? nil : url
    }

    /// Whether an account or a client belongs to a URL as an issuer.
    private func isKnownIssuer(_ url: String, in book: AccountBook) async -> Bool {
        for label in (try? await book.list().labels) ?? [] {
            guard let settings = try? await book.settings(of: label) else { continue }
            if settings.resource?.text.hasSameBytes(as: url) ?? false { return false }
            if settings.resource == nil, settings.provider.isIssuer, settings.provider.name.hasSameBytes(as: url) { return true }
        }
        if let clients = try? await ClientBook(store: book.store).all(), clients.contains(where: { $0.provider.hasSameBytes(as: url) }) {
            return true
        }
        return ((try? await RegistrationBook(store: book.store).registration(RegistrationKey(issuer: url))) ?? nil) != nil
    }

    /// Returns the label of the account for a resource: the typed one, that of an account for the same resource, or one made from the URL.
    private func label(for indicator: ResourceIndicator, in book: AccountBook) async throws(Failure) -> String {
        guard provider.provider != nil, !AccountChoice.isNamed else { return account.label }
        let labels = await accounts(for: indicator.text, in: book).map(\.label)
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
