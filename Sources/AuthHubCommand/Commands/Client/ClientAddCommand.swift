import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct ClientAddCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Store the client for new accounts at a provider, or replace it.",
        discussion: """
            Register the client on the provider's website first; "authhub provider show NAME" names the page. On a terminal, you are \
            asked for the client ID and the secret if the arguments do not name them. The secret is stored in the credential store \
            and never printed. Accounts that exist keep their own client.
            """)

    @Argument(
        help: ArgumentHelp("A name from \"authhub provider list\", or an issuer's https URL.", valueName: "provider"),
        completion: .providers)
    var provider: String

    @OptionGroup var client: ClientOptions

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp(
            "The registered redirect URI (default: the one that the registration advice of login names).", valueName: "uri"))
    var redirectURI: String?

    @OptionGroup var place: ProviderPlace
    @OptionGroup var loopback: LoopbackOptions
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard redirectURI.map({ RedirectURI($0) != nil }) ?? true else {
            throw ValidationError(
                "--redirect-uri must be http://127.0.0.1:PORT/path, SCHEME:/path or https://host/path, as it is registered.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        var settings = AccountSettings(provider: try ProviderPlace.provider(provider), client: OAuthClient(id: ""))
        settings.allowsInsecureLoopback = loopback.allowInsecureLoopback
        settings.provider = try settings.provider.placed(web: place.web, tenant: place.tenant, settings.transport)
        let profile = try Failure.translating { try settings.profile() }
        try await refuseRegistered(in: RegistrationBook(store: store))
        settings.client = try namedClient(profile, console)
        let client = try RememberedClient(settings)
        if let warning = await ClientIDUse(store: store).warning(of: settings) { console.warn(warning) }
        try await ClientBook(store: store).save(client)
        switch console.format {
        case .json: console.put(client.json)
        case .text:
            console.say(
                "Stored the client \(displayable(client.client.id, limit: 200)) for new accounts at \(settings.displayName). "
                    + "Next: authhub login \(client.words)\(loopback.suffix)\(storage.suffix)")
        }
    }

    private func refuseRegistered(in book: RegistrationBook) async throws(Failure) {
        guard provider.contains("://"), try await book.registration(RegistrationKey(issuer: provider)) != nil else { return }
        throw Failure(
            "already_registered", .failed, "this tool has registered a client at \(provider), which logins there use",
            hint: "authhub client delete \(provider.shellWord)\(loopback.suffix) first")
    }

    /// Returns the client with its secret, as typed or asked for.
    private func namedClient(_ profile: ProviderProfile, _ console: Console) throws(Failure) -> OAuthClient {
        var advice = RegistrationAdvice(profile, hasSecret: client.clientSecretFile != nil)
        if let typed = redirectURI.flatMap({ RedirectURI($0) }) { advice = advice.with(typed) }
        let question = ClientQuestion.canAsk(console) ? ClientQuestion(console: console, profile: profile) : nil
        var named: OAuthClient
        if let id = client.clientID {
            try ClientRequest.check(id)
            guard let redirectURI = RedirectURI(advice.redirectURI), !advice.hasPlaceholder else {
                throw .usage(
                    "\(profile.displayName) only accepts the registered redirect URI", hint: "add --redirect-uri \(advice.redirectURI)")
            }
            named = OAuthClient(id: id, redirectURI: redirectURI)
        } else if let question {
            named = try question.client(advice, needsCallback: true)
        } else {
            throw .usage(
                "the client ID is missing: register a client at \(profile.quirks.registration.page ?? provider), with the redirect URI \(advice.redirectURI)",
                hint: "add \(advice.client)")
        }
        try client.request.setCredentials(of: &named)
        let guide = profile.quirks.registration
        guard named.secret == nil, named.keys == nil, guide.secret != .none, named.authentication != ClientAuthenticationMethod.none else {
            return named
        }
        let isRequired = guide.secret == .required && !profile.quirks.requests.devicesNeedNoClientSecret
        if let question, client.clientID == nil || guide.secret == .required {
            named.secret = try question.secret(isRequired: isRequired)
        } else if isRequired {
            throw .usage("clients at \(profile.displayName) have a secret", hint: "add --client-secret-file FILE")
        }
        return named
    }
}
