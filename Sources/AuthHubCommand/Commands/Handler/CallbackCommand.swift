import ArgumentParser
import AuthHub
import AuthHubPrimitives
import WebAuthentication

/// The command that the desktop starts for a callback of a custom scheme.
struct CallbackCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback",
        abstract: "Deliver a callback to the sign-in that waits for it.",
        discussion: """
            The desktop runs this command for URLs of schemes that "authhub handler register" registered. You can run it yourself to finish a
            sign-in whose program has exited; pass - and write the URL to standard input, so that no other program sees it.
            """,
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("The URL that the browser was redirected to, or - for standard input.", valueName: "uri|-"))
    var uri: String

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let callback = uri == "-" ? try InputFile.secret(in: "-", called: "callback URL") : Secret(uri)
        let outcome: CallbackDelivery.Outcome
        do {
            outcome = try await CallbackDelivery().deliver(callback)
        } catch {
            throw Failure(SessionError(.cannotSignInHere, error.message, underlying: error))
        }
        switch outcome {
        case .concluded(.signedIn): console.say("Signed in. You can return to the program.")
        case .concluded(.signedOut): console.say("Signed out. You can return to the program.")
        case .concluded(.failed(let reason)):
            throw Failure("sign_in_failed", .failed, "not signed in: \(reason)", hint: "check the program that started the sign-in")
        case .undecided:
            console.say("The callback was delivered. The program that started the sign-in shows whether it worked.")
        case .nobodyWaits: try await finish(callback, console)
        }
    }

    /// Finishes the sign-in of a program that has ended, if its state is still stored.
    private func finish(_ callback: Secret<String>, _ console: Console) async throws(Failure) {
        let book = AccountBook(store: try ToolStore.open(storage))
        for label in try await Failure.translating({ try await book.list().labels }) {
            var options = AccountOptions()
            options.typedLabel = label
            options.storage = storage
            guard let account = try? await SignedInAccount.open(options) else { continue }
            do throws(SessionError) {
                try await account.session.finishSignIn(with: callback.reveal())
                return console.say("Signed in as “\(label)”.")
            } catch  where error.code == .securityCheckFailed {
                continue
            } catch {
                if let another = error.underlying as? UserCheck.DifferentUser {
                    throw .differentUser(another, label: label, hint: "\(account.login) --replace")
                }
                throw await account.failure(error)
            }
        }
        throw Failure(
            "callback_not_expected", .securityCheckFailed,
            "no sign-in is waiting for this callback; it was already used, its sign-in has expired, or it comes from another machine",
            hint: "authhub login to start again")
    }
}
