import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import GitHubAPI
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import WebAuthentication

/// A sign-in from end to end. A step counts only after the server's own log confirms it.
struct Demonstration: Sendable {
    private let server: DevelopmentAuthorizationServer
    private let store: EncryptedFileStore
    private let session: OAuthSession
    private let opener: DemoPageOpener
    private let requests: DemoRequestCheck
    private let progress: DemoProgress
    private let states: DemoStates

    /// The lifetime of access tokens: long enough to list repositories on a busy machine, short enough to wait for the expiry.
    private static let tokenLifetime = Duration.seconds(6)
    private static let simultaneousRequests = 20

    /// Runs the demonstration.
    ///
    /// - Throws: ``Failure``, naming the failed step.
    static func run(browser: DemoBrowser, console: Console) async throws(Failure) {
        let progress = DemoProgress(console: console)
        progress.begin()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let server = try await startServer(progress)
        let demonstration: Demonstration
        do {
            demonstration = try Demonstration(server, browser: browser, folder: folder.path, progress: progress)
            try await demonstration.performAll()
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
        progress.end()
    }

    private init(
        _ server: DevelopmentAuthorizationServer, browser: DemoBrowser, folder: String, progress: DemoProgress
    ) throws(Failure) {
        guard let client = server.clients.first(where: { $0.kind == .gitHubApp }), let person = server.users.first else {
            throw Self.failure(.server, "the development server has no client or no user")
        }
        let opener = DemoPageOpener(browser, person: person, progress: progress)
        let requests = DemoRequestCheck(progress: progress)
        self.server = server
        self.progress = progress
        self.opener = opener
        self.requests = requests
        store = ToolStore.inFolder(folder)
        var configuration = OAuthSession.Configuration(
            server: .gitHubApp(web: server.issuer, api: server.issuer, transport: .insecureHTTPOnLoopbackForDevelopment),
            client: OAuthClient(id: client.id, secret: client.secret),
            grant: .authorizationCode(BrowserAuthenticator(opener: opener) { requests.check($0) }), store: store,
            dependencies: Dependencies(transport: NetworkTransport.shared))
        configuration.prompting = .manual
        session = OAuthSession(configuration)
        states = DemoStates(of: session)
    }

    private func performAll() async throws(Failure) {
        let steps: [(DemoProgress.Step, () async throws(Failure) -> Void)] = [
            (.page, signIn), (.use, use), (.refresh, refresh), (.signOut, signOut),
        ]
        for (step, perform) in steps {
            do throws(Failure) {
                try await perform()
            } catch {
                progress.failed(step)
                await session.finish()
                throw error
            }
        }
    }
}

// MARK: - The steps

extension Demonstration {
    private static func startServer(_ progress: DemoProgress) async throws(Failure) -> DevelopmentAuthorizationServer {
        do {
            let server = try await DevelopmentAuthorizationServer.start(
                .init(persona: .gitHub, lifetimes: .init(accessToken: tokenLifetime)))
            progress.done(.server, "A server with GitHub's quirks listens at \(server.issuer).")
            return server
        } catch {
            progress.failed(.server)
            throw failure(.server, "\(error)")
        }
    }

    private func signIn() async throws(Failure) {
        do {
            try await session.signIn()
        } catch {
            throw Self.failure(.page, error)
        }
        try check(.request, requests.isGood, "the authorization request lacks PKCE with S256, a state or a loopback redirect URI")
        let begun = server.log.entries.filter { $0.path == "/login/oauth/authorize" && $0.method == "GET" }
        try check(
            .page, begun.contains { ["code_challenge", "code_challenge_method", "state"].allSatisfy($0.queryNames.contains) },
            "the server saw no authorization request with PKCE and state")
        let exchanges = server.log.entries.filter { $0.grantType == "authorization_code" }
        try check(
            .page, exchanges.count == 1 && exchanges.allSatisfy { $0.formNames.contains("code_verifier") && $0.status == 200 },
            "the server saw \(exchanges.count) code exchanges instead of one successful exchange with a verifier")
        progress.done(.page, "Signed in: \(opener.account).")
        await showStates()
    }

    private func use() async throws(Failure) {
        let stored = try await inventory(.use)
        try check(.use, stored.count == 1, "the store holds \(stored.count) credentials instead of one")
        let gitHub = GitHub(session: session, api: server.issuer)
        let user: User
        let list: RepositoryList
        do {
            user = try await gitHub.user()
            list = try await gitHub.repositories(perPage: nil)
        } catch {
            throw Self.failure(.use, error.description)
        }
        let served = server.log.requests(path: "/user/repos")
        try check(
            .use, list.isComplete && list.pageCount > 1 && served == list.pageCount,
            "read \(list.pageCount) pages of repositories, but the server served \(served)")
        progress.done(
            .use, "Stored encrypted. \(user.login) has \(list.repositories.count) repositories on \(list.pageCount) pages:")
        switch progress.console.format {
        case .json: progress.console.put(.array(list.repositories.map(\.json)))
        case .text:
            let shown = progress.shownRows(of: list.repositories)
            progress.console.put(RepositoryTable(shown).rendered(progress.console.dataStyle, width: progress.console.columns))
            if shown.count < list.repositories.count { progress.wait("… and \(list.repositories.count - shown.count) more") }
        }
    }

    private func refresh() async throws(Failure) {
        let before = try await token(.refresh)
        let refreshesBefore = server.log.tokenRequests(grant: "refresh_token")
        try await waitForEnd(of: before)
        let requestsBefore = server.log.requests(path: "/user")
        let statuses = try await simultaneousStatuses()
        try check(.refresh, statuses.allSatisfy { $0 == 200 }, "some of \(statuses.count) requests were rejected: \(statuses)")
        let refreshes = server.log.tokenRequests(grant: "refresh_token") - refreshesBefore
        try check(.refresh, refreshes == 1, "the server saw \(refreshes) refreshes instead of one")
        let requests = server.log.requests(path: "/user") - requestsBefore
        try check(.refresh, requests == Self.simultaneousRequests, "the server saw \(requests) requests instead of \(statuses.count)")
        try check(.refresh, try await token(.refresh).value != before.value, "the access token is still the old one")
        progress.done(.refresh, "All \(statuses.count) concurrent requests succeeded with exactly one refresh.")
        await showStates()
    }

    private func signOut() async throws(Failure) {
        let token = try await token(.signOut)
        let living = try await status(with: token)
        try check(.signOut, living == 200, "the token was rejected (\(living)) before the sign-out")
        let report = await session.signOut()
        if let problem = report.problem { throw Self.failure(.signOut, problem) }
        guard case .done = report.revocation else { throw Self.failure(.signOut, "the tokens were not revoked: \(report.revocation)") }
        try check(.signOut, server.log.revocations > 0, "the server saw no revocation")
        let status = try await status(with: token)
        try check(.signOut, status == 401, "the server still accepts the old token: it responded \(status)")
        let left = try await inventory(.signOut)
        try check(.signOut, left.isEmpty, "the store still holds \(left.count) records")
        progress.done(.signOut, "The revoked token now gets a 401, and the store is empty.")
        await showStates()
    }

    /// Shows the states of the session since the last time.
    private func showStates() async {
        progress.wait("session states: \(await states.sinceLast())")
    }
}

// MARK: - Helpers

extension Demonstration {
    /// Returns a token of the session, which is refreshed first if it is about to expire.
    private func token(_ step: DemoProgress.Step) async throws(Failure) -> AccessToken {
        do {
            return try await session.accessToken()
        } catch {
            throw Self.failure(step, error)
        }
    }

    private func waitForEnd(of token: AccessToken) async throws(Failure) {
        guard let end = token.expiresAt else { throw Self.failure(.refresh, "the server did not say when the token expires") }
        let seconds = max(0, end.timeIntervalSinceNow) + 0.2
        progress.wait("waiting \(Int(seconds.rounded())) s for the access token to expire")
        do {
            try await Task.sleep(for: .seconds(seconds))
        } catch {
            throw Failure("interrupted", .interrupted, "interrupted", hint: "authhub demo")
        }
    }

    private func simultaneousStatuses() async throws(Failure) -> [Int] {
        let results = await withTaskGroup(of: Result<Int, LoadError>.self) { group in
            for _ in 0..<Self.simultaneousRequests {
                group.addTask { [session, server] in
                    do throws(LoadError) {
                        return .success(try await session.load(.get(server.issuer + "/user")).status.code)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        do {
            return try results.map { try $0.get() }
        } catch {
            throw Self.failure(.refresh, "\(error)")
        }
    }

    /// Sends a request without the session, like anyone with a copy of the token, and returns the status.
    private func status(with token: AccessToken) async throws(Failure) -> Int {
        do {
            let fields = "\(token.type.rawValue) \(token.value.reveal())"
            return try await NetworkTransport.shared.send(.get(server.issuer + "/user", headers: [.authorization: fields])).status.code
        } catch {
            throw Self.failure(.signOut, "\(error)")
        }
    }

    private func inventory(_ step: DemoProgress.Step) async throws(Failure) -> [CredentialAccount] {
        do {
            let inventory = try await store.inventory()
            if let error = inventory.unreadable.first { throw error }
            return inventory.accounts
        } catch {
            throw Self.failure(step, "\(error)")
        }
    }

    private func check(_ step: DemoProgress.Step, _ condition: Bool, _ problem: String) throws(Failure) {
        guard condition else { throw Self.failure(step, problem) }
    }

    private static func failure(_ step: DemoProgress.Step, _ problem: String) -> Failure {
        Failure(
            "demo_step_failed", .failed, "step \(step.rawValue) (\(step.name)) failed: \(problem)",
            hint: "authhub demo --headless; if it fails again, please report it")
    }

    /// Returns the failure of a step, with the exit status of the user's action: cancelling, denying, waiting too long.
    private static func failure(_ step: DemoProgress.Step, _ error: SessionError) -> Failure {
        let cause = Failure(error, login: "authhub demo")
        return Failure(
            "demo_step_failed", cause.exit, "step \(step.rawValue) (\(step.name)) failed: \(cause.message)", hint: "authhub demo --headless"
        )
    }
}
