import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct RevokeCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke the account's tokens or another token at the server.",
        discussion: """
            The tokens on this machine are deleted once the server has confirmed the revocation; if it cannot be reached, nothing changes. \
            (To sign out on this machine in any case, use "authhub logout".) The account's settings stay, so "authhub login" \
            needs no further options to sign in again.

            Examples:
              authhub revoke --as work
              authhub revoke --token-file - --hint refresh_token < leaked.txt
            """)

    @Option(
        help: ArgumentHelp("A file with the token to revoke instead of the account's, or - for standard input.", valueName: "file|-"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("The type of the token in --token-file: access_token or refresh_token.", valueName: "kind"),
        completion: .list(["access_token", "refresh_token"]))
    var hint: String?

    @Flag(help: "Leave the revoked tokens in the store.")
    var keep = false

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard hint == nil || tokenFile != nil else { throw ValidationError("--hint needs --token-file.") }
        guard tokenFile == nil || !keep else { throw ValidationError("--keep cannot be used with --token-file.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(account.storage)
        let book = AccountBook(store: store)
        guard let settings = try await Failure.translating({ try await book.settings(of: account.label) }) else {
            throw await .signInNeeded(account, in: book)
        }
        let dependencies = ToolNetwork.current.dependencies(for: settings)
        do {
            if let tokenFile {
                let token = try InputFile.secret(in: tokenFile, called: "token")
                let server = AuthorizationServer(try settings.profile(), dependencies: dependencies)
                let isOffered = try await server.revoke(token, hint: hint.map(TokenTypeHint.init(rawValue:)), as: settings.client)
                guard isOffered else { throw notOffered }
                return tell("done", nil, "The server confirmed that the token is revoked or unknown", console)
            }
            let outcome = try await OAuthAccounts(store: store).revoke(
                account.label, of: try settings.profile(), client: settings.client, keepsRecord: keep, dependencies: dependencies)
            switch outcome {
            case .nobody: tell("not_needed", false, "No one is signed in as “\(account.label)”", console)
            case .notOffered: throw notOffered
            case .revoked where keep:
                tell(
                    "done", true,
                    "The server has revoked the tokens of “\(account.label)”; they are still stored on this machine, but no longer valid",
                    console)
            case .revoked:
                tell("done", false, "The server has revoked the tokens of “\(account.label)”; they are deleted on this machine", console)
            }
        } catch {
            throw Failure(cause: error) { stillThere($0) }
        }
    }
}

extension RevokeCommand {
    private var notOffered: Failure {
        Failure(
            "not_offered", .failed, "the server offers no revocation; nothing was changed",
            hint: "authhub logout\(account.suffix) deletes them on this machine; they are valid at the server until they expire")
    }

    private func stillThere(_ error: SessionError) -> Failure {
        let cause = Failure(error, login: "authhub login" + account.suffix)
        return Failure(cause.code, cause.exit, "the tokens were not revoked, and nothing was changed: \(cause.message)", hint: cause.hint)
    }

    private func tell(_ revocation: String, _ isStored: Bool?, _ text: String, _ console: Console) {
        guard console.format == .json else { return console.say(text) }
        var object = JSONObject()
        object["account"] = .string(account.label)
        object["revocation"] = .string(revocation)
        object["stored"] = isStored.map(JSONValue.bool)
        console.put(.object(object))
    }
}
