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
        let known = await accounts(for: url, in: book).first?.settings
        let loopback = provider.loopback
        let allowsLoopback = loopback.allowInsecureLoopback || known?.allowsInsecureLoopback ?? false
        let allowsPrivateServers = resource.allowPrivateServers || known?.allowsPrivateServers ?? false
        let transport = allowsLoopback ? TransportPolicy.insecureHTTPOnLoopbackForDevelopment : .httpsOnly
        let discovery = ServerDiscovery(
            dependencies: ToolNetwork.current.dependenciesForThirdParties,
            transport: transport,
            allowedHosts: HostPolicy(for: transport, allowsPrivateServers: allowsPrivateServers))
        var protection: ResourceProtection?
        do throws(SessionError) {
            protection = try await discovery.protection(
                of: url, challenge: resource.challenge, issuer: resource.issuer, usesCodes: flow.flow.usesRedirectURI,
                assumesOrigin: resource.withoutResourceMetadata)
        } catch {
            let login = "authhub login \(url.shellWord)\(loopback.suffix)"
            let failure = Failure(error, login: login)
            guard error.underlying is NoResourceMetadata else { throw failure }
            throw failure.hinting("if the server follows MCP 2025-03-26: \(login) --without-resource-metadata")
        }
        protection?.isForUser = flow.flow.hasUser
        guard let protection, let indicator = protection.indicator else { return nil }
        return LoginResource(
            protection: protection, indicator: indicator, label: try await label(for: indicator, in: book),
            allowsPrivateServers: allowsPrivateServers)
    }

    /// Checks everything that needs no network, before the URL is requested.
    private func checkOptions() throws(Failure) {
        guard provider.provider != nil else { return }
        var typed = provider
        typed.client.clientSecretFile = nil
        typed.client.privateKeyFile = nil
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
        if !(AccountChoice.made?.isNamed ?? false) { command.account.typedLabel = nil }
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

    /// Limits the settings to the resource, and adds the scope and the redirect URIs for it.
    func limit(
        _ settings: inout AccountSettings, to target: LoginResource, known: AccountSettings?, needsCallback: Bool,
        in store: any CredentialInventory
    ) async throws(Failure) {
        try checkClient(of: target, known: known)
        target.bind(&settings)
        if provider.scope == nil { settings.scope = target.scope(after: known) }
        if needsCallback { await provider.addRedirectURIs(to: &settings, from: RegistrationBook(store: store)) }
    }

    /// Warns about a resource whose server is not described, or is another one than before.
    ///
    /// - Parameter former: The account at the server before; nil if it is the same.
    func warn(about target: LoginResource, former: AccountSettings?, on console: Console) {
        if resource.withoutResourceMetadata {
            console.warn(
                "\(target.indicator) does not say who issues its tokens; signing in at \(target.issuer), as old MCP servers expect")
        }
        if let former { console.warn(target.protection.change(from: former.provider.name)) }
    }

    /// Checks that credentials that were registered at the resource's former server are not shown to another one.
    func checkClient(of target: LoginResource, known: AccountSettings?) throws(Failure) {
        let isKnown = known.map { $0.resource == target.indicator && !target.hasOtherIssuer(than: $0) } ?? false
        let sendsSecret = provider.client.clientSecretFile != nil && provider.client.clientAuth != .clientSecretJWT
        guard !sendsSecret || isKnown || resource.issuer != nil else {
            throw .usage(
                "\(target.indicator) names \(target.issuer) as its server, which would get the client secret; nothing shows that the client is registered there",
                hint: "if it is, add --issuer \(target.issuer.shellWord)")
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
        guard url.contains("://"), provider.authorizationEndpoint == nil, provider.tokenEndpoint == nil,
            provider.loopback.transport.allows(url)
        else { return nil }
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
        return ((try? await RegistrationBook(store: book.store).registration(at: url)) ?? nil) != nil
    }

    /// Returns the label of the account for a resource: the typed one, that of an account for the same resource, or one made from the URL.
    private func label(for indicator: ResourceIndicator, in book: AccountBook) async throws(Failure) -> String {
        guard provider.provider != nil, !(AccountChoice.made?.isNamed ?? false) else { return account.label }
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
