import AniListAPI
import ArgumentParser
import AuthHub
import AuthHubPrimitives
import GitHubAPI
import OAuthProtocol
import Platform

struct WhoAmICommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Ask the server who is signed in.",
        discussion: """
            At an OpenID provider, shows the claims of the verified ID token, and those that the server's UserInfo endpoint returns about \
            the same user.
            """)

    @Flag(help: "Show all claims (OpenID Connect).")
    var claims = false

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let person = try await person(of: account)
        let redaction = account.session.redaction
        switch console.format {
        case .json: console.put(redaction.applied(to: person.json(account, withClaims: claims)))
        case .text where claims:
            if person.identity == nil { console.warn("there is no ID token that verifies these claims") }
            console.put(person.claimsText(console.dataStyle, without: redaction, now: Date()))
        case .text: console.put(person.text(console.dataStyle, without: redaction))
        }
    }
}

extension WhoAmICommand {
    private func person(of account: SignedInAccount) async throws(Failure) -> Person {
        if let endpoint = account.settings.aniListAPI {
            guard !claims else { throw withoutClaims(account) }
            return try await aniListViewer(of: account, at: endpoint)
        }
        if account.settings.gitHubAPI != nil {
            guard !claims else { throw withoutClaims(account) }
            return try await gitHubUser(of: account)
        }
        guard let identity = try await account.identity() else { return try await claimedPerson(of: account) }
        return try await verifiedPerson(identity, of: account)
    }

    private func withoutClaims(_ account: SignedInAccount) -> Failure {
        Failure(
            "not_offered", .failed, "\(account.settings.displayName) describes the user in its own format, without claims",
            hint: "authhub whoami\(self.account.suffix)")
    }

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
}
