import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct RevokeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Has the server end the account's tokens, or a token that you give.",
        discussion: """
            The server is told first, and what is stored here goes when it has confirmed that; where it cannot be told, nothing changes. \
            (To forget the account here whatever the server says, use logout.) What the account was signed in with stays: authhub login \
            signs in again.

            Examples:
              authhub revoke --as work
              authhub revoke --token-file - --hint refresh_token < leaked.txt
            """)

    @Option(
        help: ArgumentHelp("A file with a token to revoke in place of the account's own, or - for standard input.", valueName: "file|-"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("With --token-file: what kind of token it is: access_token or refresh_token.", valueName: "kind"))
    var hint: String?

    @Flag(help: "Leave the dead tokens in the store.")
    var keep = false

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard hint == nil || tokenFile != nil else { throw ValidationError("--hint belongs to --token-file.") }
        guard tokenFile == nil || !keep else { throw ValidationError("--keep is about the account's own tokens.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(account.storage)
        let book = AccountBook(store: store)
        guard let settings = try await Failure.translating({ try await book.settings(of: account.label) }) else {
            throw await .signInNeeded(account, in: book)
        }
        let dependencies = Dependencies(transport: NetworkTransport.shared)
        do {
            if let tokenFile {
                let token = try InputFile.secret(in: tokenFile)
                let server = AuthorizationServer(try settings.profile(), dependencies: dependencies)
                let isOffered = try await server.revoke(token, hint: hint.map(TokenTypeHint.init(rawValue:)), as: settings.client)
                guard isOffered else { throw notOffered }
                return tell("done", nil, "The server has confirmed that the token is revoked, or unknown to it", console)
            }
            let outcome = try await OAuthAccounts(store: store).revoke(
                account.label, of: try settings.profile(), client: settings.client, keepsRecord: keep, dependencies: dependencies)
            switch outcome {
            case .nobody: tell("not_needed", false, "No one is signed in as “\(account.label)”", console)
            case .notOffered: throw notOffered
            case .revoked where keep:
                tell(
                    "done", true, "The server has revoked the tokens of “\(account.label)”; they are kept here, and good for nothing",
                    console)
            case .revoked: tell("done", false, "The server has revoked the tokens of “\(account.label)”; they are deleted here", console)
            }
        } catch {
            throw Failure(cause: error) { stillThere($0) }
        }
    }
}

extension RevokeCommand {
    private var notOffered: Failure {
        Failure(
            "not_offered", .failed, "the server has no way to revoke tokens; nothing was changed",
            hint: "authhub logout\(account.suffix) forgets them here; they end by themselves")
    }

    private func stillThere(_ error: SessionError) -> Failure {
        let cause = Failure(error, login: "authhub login" + account.suffix)
        return Failure(cause.code, cause.exit, "not revoked, and nothing was changed here: \(cause.message)", hint: cause.hint)
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
