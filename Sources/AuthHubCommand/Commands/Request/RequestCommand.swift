import ArgumentParser
import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform

struct RequestCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Send a request with the access token and print the response body.",
        usage: "authhub request [<method>] <url> [<options>]",
        discussion: """
            A path such as /user is added to the API's base URL: the provider's (see "authhub provider show NAME"), or the one of \
            "authhub login --base-url URL".

            The token is only sent to the provider's own servers; --send-token-to adds others. If the account is for an API, such as an \
            MCP server, the token is only sent to the API's URL and to URLs below it. An expired token is refreshed first, and after a 401 \
            response the token is refreshed and the request retried once. If the server responds 429 or 503 and asks to wait for at most \
            a minute, the request is retried after that, up to twice.

            If the response status is 400 or above, the exit status is 1; 4 for a 401 response that a new sign-in may change, and for \
            an API that requires more scope; 75 for 429 and 503.

            On a terminal, control characters in the body are written as \\u001b and the like. A file or a pipe gets the body \
            unchanged. -o json writes one object: the status, the header fields and the body.

            --paginate finds the next page in a Link field (rel="next"), or in one of these members of the body: next, links.next, \
            links.next.href, _links.next.href, paging.next, @odata.nextLink. Other APIs return a cursor; --cursor names its member, and \
            the query parameter that sends it or, with POST, the member of the JSON body. The last page is the one without a cursor, or \
            with hasNextPage or has_more false next to it.

            Examples:
              authhub request /user
              authhub request /user/repos --paginate --jq '.[].full_name'
              authhub request /users.list --cursor meta.next_cursor=cursor
              authhub request /graphql --json @query.json \\
                --cursor data.viewer.repositories.pageInfo.endCursor=variables.after
              authhub request POST https://api.github.com/gists --json @gist.json
              authhub request https://mcp.example.com/mcp --sign-in --json @call.json
              authhub request /api/v2/media -F file=@photo.jpg -f description=Beach
            """)

    @Argument(
        help: ArgumentHelp(
            "The HTTP method (default: POST with a body, otherwise GET), and a path at the API or an https URL.",
            valueName: "method|url"),
        completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    var words: [String] = []

    @OptionGroup(title: "Request") var content: RequestContentOptions

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "A header field other than those set from the URL, the body and the account; may be repeated.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another origin that gets the token and can use it, without a path: https://api.example.com.", valueName: "origin"))
    var sendTokenTo: [String] = []

    @OptionGroup var loopback: LoopbackOptions

    @Flag(help: "Sign in and send the request again if the API requires a sign-in or more scope.")
    var signIn = false

    @Flag(name: .shortAndLong, help: "Print the response's status and header fields before its body.")
    var include = false

    @Flag(help: "Also request the following pages from the same origin, and join JSON arrays into one.")
    var paginate = false

    @Option(
        help: ArgumentHelp(
            "Like --paginate, with the cursor in a member of the body, and the parameter of the next request.",
            valueName: "member=parameter"))
    var cursor: PageCursor?

    @Option(help: ArgumentHelp("A jq filter for the output; strings are printed without quotation marks.", valueName: "expression"))
    var jq: String?

    @Option(
        name: [.customShort("O"), .long],
        help: ArgumentHelp(
            "The file to write the output to; an existing file is replaced only when the output is complete.", valueName: "file"),
        completion: .file())
    var outputFile: String?

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    /// A path at the API does not choose the account: the account determines the API.
    var requestURL: String? { words.last.flatMap { RequestTarget($0)?.scheme == nil ? nil : $0 } }

    func validate() throws {
        guard !words.isEmpty else { throw ValidationError("Missing expected argument '<url>'") }
        guard words.count <= 2 else {
            throw ValidationError("There is more than a method and a URL: \(displayable(words[2], limit: 60))")
        }
        guard !include || (paging == nil && jq == nil && outputFile == nil) else {
            throw ValidationError("-i cannot be used with --paginate, --cursor, --jq or -O; -o json includes the header fields.")
        }
    }

    private var paging: RequestPaging? { cursor.map { .cursor($0) } ?? (paginate ? .links : nil) }

    func perform(_ console: Console) async throws(Failure) {
        let message = try RequestMessage(words, content: content, header: header)
        let origins = try origins()
        let filter = try jq.map { expression throws(Failure) in try JQFilter(expression) }
        let file = try outputFile.map { path throws(Failure) in try OutputFile(path) }
        let exchange = try await signingIn(for: message, origins, console)
        let failure = failure(exchange, console)
        let writer = RequestWriter(
            console: console, include: include, filter: failure == nil ? filter : nil, file: failure == nil ? file : nil)
        do {
            try await writer.write(exchange.result)
        } catch let error as LoadError {
            throw await exchange.sender.failure(error)
        } catch {
            throw Failure(cause: error)
        }
        if let failure { throw exchange.account.map { failure.without($0.session.redaction) } ?? failure }
    }
}

extension RequestCommand {
    /// A request that was sent, and its response.
    private struct Exchange {
        let sender: ResourceSender
        let request: LoadRequest
        let result: RequestResult
        let foreign: ForeignOrigin?
        var signIns = 0

        /// nil if the request was sent without one.
        var account: SignedInAccount? { sender.account }

        /// The challenge with which the account's resource rejected the request; nil if it did not, or if it did not get the token.
        var challenge: String? {
            guard account.map({ $0.settings.resource != nil }) ?? true, result.response.rejectsToken else { return nil }
            return result.response.challenges
        }

        /// The challenge of a resource that says who issues tokens for it, even if the account is for another server; nil if there is none.
        var resourceChallenge: String? {
            let response = result.response
            guard response.status == .unauthorized, response.notes.redirects.isEmpty, response.challenges.contains("resource_metadata")
            else { return nil }
            return response.challenges
        }

        /// The URL to sign in at after the challenge. A token that is not accepted at all may be for a different resource than the URL's.
        var refusingResource: String {
            let typed = RequestTarget(request.head)?.url ?? ""
            return result.response.stepUpRequirement == nil ? typed : account?.settings.resource?.text ?? typed
        }
    }

    /// Sends the request. Signs in and sends it again if the resource requires that, and the user lets it.
    private func signingIn(for message: RequestMessage, _ origins: Set<Origin>, _ console: Console) async throws(Failure) -> Exchange {
        var (command, policy, signIns) = (self, AccessPolicy(), 0)
        while true {
            var exchange = try await command.exchange(message, origins, console)
            exchange.signIns = signIns
            let isNamed = AccountChoice.isNamed
            let response = exchange.result.response
            guard signIn, AccessPolicy.allowsRepeating(after: signIns), exchange.request.body.canBeSent,
                let challenge = exchange.challenge ?? (isNamed ? nil : exchange.resourceChallenge),
                let requirement = AccessRequirement(response.head), policy.answer(to: requirement, at: Date()) == .signIn
            else { return exchange }
            response.body.cancel()
            let account = exchange.account
            command.loopback.allowInsecureLoopback =
                command.loopback.allowInsecureLoopback || account?.settings.allowsInsecureLoopback ?? false
            await account?.forgetClient()
            let reason = ResourceSignIn.Reason(
                url: exchange.refusingResource, challenge: challenge, rejected: account?.session.state.signInID)
            let done = try await ResourceSignIn(reason, command.account, command.loopback).perform(console)
            command.account.typedLabel = done.label
            if done.isOwn { policy.signedIn(for: requirement, at: Date()) }
            signIns += 1
        }
    }

    /// Returns the failure for a URL without an account: other accounts would not help, and the API may name its own server.
    private func withoutAccount(_ failure: Failure, at url: String) async -> Failure {
        guard !AccountChoice.isNamed, let target = RequestTarget(url), let store = try? ToolStore.open(account.storage),
            let accounts = try? await AccountSituation.candidates(in: store), accounts.owners(of: target).isEmpty
        else { return failure }
        let login =
            "authhub login \(url.shellWord)\(loopback.suffix(for: url)), or add --sign-in, if the API names its own server, as MCP servers do"
        return Failure(
            failure.code, failure.exit, "no account has a token for \(url)", hint: "\(login); otherwise: \(Failure.signInSomewhere())")
    }

    private func exchange(_ message: RequestMessage, _ origins: Set<Origin>, _ console: Console) async throws(Failure) -> Exchange {
        guard let account = try await openAccount(origins) else { return try await exchange(message, console) }
        if let resource = account.settings.resource, !origins.isEmpty {
            throw .usage(
                "the tokens of “\(account.label)” are only for \(resource)",
                hint: "leave out --send-token-to, and sign in at the other API: authhub login URL")
        }
        let request = try message.request(at: account.settings, login: account.login)
        try checkLoopback(request, account.settings)
        let sender =
            signIn
            ? ResourceSender.toSignIn(account, login: account.login)
            : ResourceSender(account: account, login: account.login, withoutToken: nil)
        let foreign = try await foreignOrigin(of: request, account, origins)
        if let foreign {
            let advice = foreign.label.map { "it belongs to the account “\($0)”" } ?? "\(sendToken(to: foreign.origin)) sends it there"
            let place = account.settings.resource.map { "outside \($0)" } ?? "not one of the provider's servers"
            console.warn("the token is not sent to \(foreign.origin), which is \(place); \(advice)")
        }
        return Exchange(sender: sender, request: request, result: try await result(of: request, by: sender, console), foreign: foreign)
    }

    /// Opens the account.
    ///
    /// - Returns: nil if there is none for the URL, and the server may say that it requires one.
    private func openAccount(_ origins: Set<Origin>) async throws(Failure) -> SignedInAccount? {
        do throws(Failure) {
            return try await SignedInAccount.open(account, tokenOrigins: origins)
        } catch {
            guard error.code == "sign_in_needed", let url = requestURL else { throw error }
            guard signIn else { throw await withoutAccount(error, at: url) }
            return nil
        }
    }

    /// Sends the request without a token, so that the server says what it requires.
    private func exchange(_ message: RequestMessage, _ console: Console) async throws(Failure) -> Exchange {
        let url = requestURL ?? "URL"
        let login = "authhub login \(url.shellWord)\(loopback.suffix(for: url))"
        let request = try message.requestWithoutAccount()
        try checkLoopback(request, nil)
        let sender = ResourceSender.toSignIn(nil, login: login)
        return Exchange(sender: sender, request: request, result: try await result(of: request, by: sender, console), foreign: nil)
    }

    private func result(of request: LoadRequest, by sender: ResourceSender, _ console: Console) async throws(Failure) -> RequestResult {
        let sender = RequestSender(sender: sender, console: console)
        if let paging { return try await sender.pages(from: request, by: paging) }
        return RequestResult(response: try await sender.response(to: request))
    }

    /// Returns the failure for an unsuccessful response; nil if the status counts as success, such as 304.
    private func failure(_ exchange: Exchange, _ console: Console) -> Failure? {
        let (response, foreign) = (exchange.result.response, exchange.foreign)
        var withheld = response.notes.isCredentialWithheld ? foreign : nil
        // The origin that responded, if a redirect led there and the token was withheld from it.
        if response.notes.isCredentialWithheld, let place = response.notes.redirects.last, place != foreign?.origin {
            let reason =
                if let resource = exchange.account?.settings.resource {
                    "; it is only for \(resource)"
                } else if response.notes.isChosenByOther {
                    ", because a server that does not get the token chose this request; a request to \(place) itself has the token"
                } else {
                    "; \(sendToken(to: place)) sends the token there"
                }
            console.warn("the request was redirected to \(place) without the token\(reason)")
            withheld = ForeignOrigin(origin: place, label: nil)
        }
        let status = response.status
        let code = "http_\(status.code)"
        let showsFields = "run the same command with -i to see the response's header fields"
        if RequestSender.redirects.contains(status.code) {
            let places = response.head.headerFields[values: .location]
            let place =
                places.count == 1
                ? "to “\(displayable(places[0], limit: 200))”, which is not a valid http or https URL"
                : "without exactly one Location field"
            return Failure(code, .failed, "the server redirects (\(status.code)) \(place)", hint: showsFields)
        }
        guard status.code >= 400 else { return nil }
        let message = "the server responded \(status.code) \(status.reasonPhrase)"
        if let challenge = exchange.challenge { return refusal(exchange, challenge, code, message) }
        switch status.code {
        case 401:
            guard let withheld else { return Failure(code, .signInNeeded, message, hint: exchange.sender.login) }
            if withheld.label == nil, exchange.resourceChallenge != nil {
                let url = exchange.refusingResource
                let login = "authhub login \(url.shellWord)\(loopback.suffix(for: url))"
                let other = AccountChoice.isNamed ? "; then send the request with that account" : ", or add --sign-in"
                return Failure(code, .signInNeeded, message, hint: "\(login) signs in there\(other)")
            }
            guard !response.notes.isChosenByOther, exchange.account?.settings.resource == nil else {
                return Failure(code, .failed, message, hint: "check the URL to which the server redirects, then send the request there")
            }
            let sending = "add \(sendToken(to: withheld.origin)) only if you trust that server, which gets the token and can use it"
            return Failure(code, .failed, message, hint: withheld.label.map { "add\(AccountOptions.suffix($0))" } ?? sending)
        case 405:
            guard let resource = exchange.account?.settings.resource else { return Failure(code, .failed, message, hint: showsFields) }
            let proxy = "authhub mcp proxy \(resource.text.shellWord)\(loopback.suffix(for: resource.text))\(account.chosenSuffix)"
            return Failure(
                code, .failed, message, hint: "\(showsFields); an MCP server expects POST: add --json TEXT; MCP hosts use: \(proxy)")
        case 429, 503:
            let delay = RequestSender.delay(in: response.head).map { " in \(Duration.seconds($0).inWords)" } ?? " later"
            return Failure(code, .tryAgain, message, hint: "run the same command again\(delay)")
        default: return Failure(code, .failed, message, hint: showsFields)
        }
    }

    /// The failure for a resource that requires another sign-in.
    private func refusal(_ exchange: Exchange, _ challenge: String, _ code: String, _ message: String) -> Failure {
        guard exchange.signIns == 0 else {
            let signIns = exchange.signIns == 1 ? "the sign-in" : "\(exchange.signIns) sign-ins"
            return Failure(
                code, .failed, "\(message), and still requires more after \(signIns)",
                hint: "ask the server's operator what the account lacks")
        }
        let scope = exchange.result.response.stepUpRequirement?.scope.names.joined(separator: ", ") ?? ""
        let need = scope.isEmpty ? "" : "; it requires the scope \(displayable(scope, limit: 300))"
        let url = exchange.refusingResource
        let options = ResourceRequest.suffix(challenge: challenge) + account.chosenSuffix + loopback.suffix(for: url)
        return Failure(
            code, .signInNeeded, message + need, hint: "authhub login \(url.shellWord)\(options), or add --sign-in to this command")
    }

    /// Checks the use of http on this machine.
    ///
    /// - Throws: ``Failure`` if neither the command nor the account's sign-in requested it.
    func checkLoopback(_ request: LoadRequest, _ settings: AccountSettings?) throws(Failure) {
        guard request.head.scheme == "http", !loopback.allowInsecureLoopback, !(settings?.allowsInsecureLoopback ?? false) else { return }
        throw .usage("the URL is http", hint: "add --allow-insecure-loopback, for development on this machine")
    }

    private func origins() throws(Failure) -> Set<Origin> {
        var origins: Set<Origin> = []
        for text in sendTokenTo {
            guard let origin = Origin(url: text), origin.scheme == "https" || origin.isLoopback else {
                throw .usage("--send-token-to needs an https origin", hint: "use --send-token-to https://api.example.com")
            }
            guard RequestTarget(text)?.path == "/" else {
                throw .usage(
                    "--send-token-to needs an origin without a path; a path would not limit who sees the token",
                    hint: "use \(sendToken(to: origin))")
            }
            origins.insert(origin)
        }
        return origins
    }

    private func sendToken(to origin: Origin) -> String { "--send-token-to \(origin)" }

    /// An origin that does not get the account's token.
    private struct ForeignOrigin {
        let origin: Origin
        /// The label of another account that the origin belongs to; nil if there is none.
        let label: String?
    }

    /// Returns the origin of the request if the token is not sent to it; nil if it is.
    private func foreignOrigin(
        of request: LoadRequest, _ account: SignedInAccount, _ origins: Set<Origin>
    ) async throws(Failure) -> ForeignOrigin? {
        guard let origin = Origin(request.head) else { return nil }
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider()
        } catch {
            throw await account.failure(error)
        }
        if origins.contains(origin) { return nil }
        let path = request.head.path ?? "/"
        // The metadata may name further origins.
        let isServed =
            account.settings.resource == nil ? profile.tokenOrigins.contains(origin) : account.settings.sendsToken(to: origin, path: path)
        guard !isServed else { return nil }
        let book = AccountBook(store: try ToolStore.open(self.account.storage))
        let owner = await book.readable().first { $0.label != account.label && $0.settings.sendsToken(to: origin, path: path) }
        return ForeignOrigin(origin: origin, label: owner?.label)
    }
}
