import AniListAPI
import ArgumentParser
import AuthHub
import AuthHubPrimitives
import GitHubAPI
import HTTPLoading
import HTTPTypes
import OAuthProtocol

struct WhoAmICommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Ask the server who is signed in.")

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let person: Person
        if let endpoint = account.settings.aniListAPI {
            person = try await aniListViewer(of: account, at: endpoint)
        } else {
            person = account.settings.gitHubAPI == nil ? try await claims(of: account) : try await gitHubUser(of: account)
        }
        let redaction = account.session.redaction
        switch console.format {
        case .json: console.put(redaction.applied(to: person.json(account)))
        case .text: console.put(person.text(console.dataStyle, without: redaction))
        }
    }
}

extension WhoAmICommand {
    private struct Person {
        let id: String
        let login: String?
        let name: String?
        let email: String?

        func json(_ account: SignedInAccount) -> JSONValue {
            [
                "account": .string(account.label), "provider": .string(account.settings.provider.name), "id": .string(id),
                "login": login.map(JSONValue.string) ?? .null, "name": name.map(JSONValue.string) ?? .null,
                "email": email.map(JSONValue.string) ?? .null,
            ]
        }

        func text(_ style: Style, without redaction: Redaction) -> String {
            func shown(_ text: String) -> String { escaped(redaction.appliedIgnoringInvisible(text), limit: 255) }
            let details = [name, email].compactMap { $0 }.filter { !$0.isEmpty }.map(shown)
            return style(shown(login ?? id), .bold) + (details.isEmpty ? "" : "  " + details.joined(separator: ", "))
        }
    }

    private static let answerLimit = 1024 * 1024

    private func gitHubUser(of account: SignedInAccount) async throws(Failure) -> Person {
        let gitHub = try GitHub(account)
        do throws(GitHubError) {
            let user = try await gitHub.user()
            return Person(id: String(user.id), login: user.login, name: user.name, email: user.email)
        } catch {
            throw await account.failure(error)
        }
    }

    private func aniListViewer(of account: SignedInAccount, at endpoint: String) async throws(Failure) -> Person {
        do throws(AniListError) {
            let viewer = try await AniList(session: account.session, endpoint: endpoint).viewer()
            return Person(id: String(viewer.id), login: viewer.name, name: nil, email: nil)
        } catch {
            throw await account.failure(error)
        }
    }

    /// Returns the user's claims (OpenID Connect Core §5.3).
    private func claims(of account: SignedInAccount) async throws(Failure) -> Person {
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider(needing: [.userInfo])
        } catch {
            throw await account.failure(error)
        }
        guard let endpoint = profile.accountEndpoint else {
            throw Failure(
                "not_offered", .failed, "\(account.settings.provider.name) has no endpoint that returns the signed-in user",
                hint: "authhub request GET URL sends a request to any endpoint")
        }
        // Without the token, the server's response says nothing about who is signed in.
        guard let origin = Origin(url: endpoint), profile.tokenOrigins.contains(origin) else {
            throw Failure(
                "security_check_failed", .securityCheckFailed,
                "the server's metadata names a userinfo endpoint at \(Origin(url: endpoint)?.description ?? displayable(endpoint, limit: 200)), "
                    + "to which the token must not be sent; no request was sent",
                hint: "check the issuer's URL; if it is right, report this to the server's operator")
        }
        let (response, bytes) = try await answer(at: endpoint, account)
        let status = response.status.code
        let claims = status == 200 ? try? JSONValue(strict: bytes) : nil
        let isError = claims?["error"].map { $0 != .null } ?? false
        guard let claims, let subject = claims["sub"]?.string, !subject.isEmpty, !isError else {
            if account.settings.usesClientCredentials { throw noPerson(account) }
            if let missing = response.stepUpRequirement?.scope, !missing.isEmpty { throw lacks(missing, account) }
            if status == 200, let claims, claims["sub"]?.string == nil { throw tellsInItsOwnForm(account, at: endpoint) }
            throw Failure(
                "server_misbehaved", status == 401 ? .signInNeeded : .failed,
                "the userinfo endpoint responded \(status) without the user's claims",
                hint: status == 401 ? account.login : "\(account.login) --scope openid,profile,email")
        }
        func claim(_ name: String) -> String? { claims[name]?.string }
        return Person(id: subject, login: claim("preferred_username"), name: claim("name"), email: claim("email"))
    }

    private func noPerson(_ account: SignedInAccount) -> Failure {
        Failure(
            "not_offered", .failed, "“\(account.label)” belongs to the client itself; no user is signed in",
            hint: "authhub status\(self.account.suffix)")
    }

    private func lacks(_ missing: Scope, _ account: SignedInAccount) -> Failure {
        var scopes = missing
        if case .signedIn(let facts) = account.session.state { scopes = facts.scope.union(missing) }
        return Failure(
            "denied", .denied,
            "access was denied: the token lacks the scope \(missing.names.joined(separator: ", "))",
            hint: "\(account.login) --scope \(scopes.names.joined(separator: ",").shellWord)")
    }

    private func tellsInItsOwnForm(_ account: SignedInAccount, at endpoint: String) -> Failure {
        Failure(
            "not_offered", .failed,
            "\(account.settings.displayName) describes the user in its own format, not in the OpenID Connect format",
            hint: "authhub request\(self.account.suffix) GET \(endpoint.shellWord) prints it")
    }

    private func answer(at url: String, _ account: SignedInAccount) async throws(Failure) -> (LoadResponse, [UInt8]) {
        do throws(LoadError) {
            var request = try LoadRequest.get(url, headers: [.accept: "application/json"])
            // Another server could claim that any user is signed in.
            request.options[RedirectScope.self] = .sameOrigin
            let response = try await account.session.load(request)
            return (response, try await response.body.collect(upTo: Self.answerLimit))
        } catch {
            throw await account.failure(error)
        }
    }
}
