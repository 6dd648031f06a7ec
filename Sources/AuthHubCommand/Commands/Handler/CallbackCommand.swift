import ArgumentParser
import AuthHub
import AuthHubPrimitives
import WebAuthentication

/// The command that the desktop starts for a callback of a custom scheme.
struct CallbackCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback",
        abstract: "Brings a callback to the sign-in that waits for it.",
        discussion: """
            The desktop starts this for addresses of schemes that "authhub handler register" made ours. By hand it finishes a sign-in whose
            program was ended meanwhile; give - and the address on standard input then, so that no other program sees it.
            """,
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("The address that the browser was sent to, or - for standard input.", valueName: "uri|-"))
    var uri: String

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let callback = uri == "-" ? try InputFile.secret(in: "-") : Secret(uri)
        let outcome: CallbackDelivery.Outcome
        do {
            outcome = try await CallbackDelivery().deliver(callback)
        } catch {
            throw Failure(SessionError(.cannotSignInHere, error.explanation ?? error.code.description, underlying: error))
        }
        switch outcome {
        case .concluded(.signedIn): console.say("Signed in. You can go back to the program.")
        case .concluded(.signedOut): console.say("Signed out. You can go back to the program.")
        case .concluded(.failed(let reason)):
            throw Failure("sign_in_failed", .failed, "not signed in: \(reason)", hint: "see the program that began the sign-in")
        case .undecided:
            console.say("The callback was handed over. The program that began the sign-in shows whether it worked.")
        case .nobodyWaits: try await finish(callback, console)
        }
    }

    /// Finishes the sign-in of a program that has ended, if its state is still stored.
    private func finish(_ callback: Secret<String>, _ console: Console) async throws(Failure) {
        for label in try await AccountBook(store: ToolStore.open(storage)).labels().labels {
            var options = AccountOptions()
            options.label = label
            options.storage = storage
            guard let account = try? await SignedInAccount.open(options) else { continue }
            do throws(SessionError) {
                try await account.session.finishSignIn(with: callback.reveal())
                return console.say("Signed in as “\(label)”.")
            } catch  where error.code == .securityCheckFailed {
                continue
            } catch {
                throw await account.failure(error)
            }
        }
        throw Failure(
            "callback_not_expected", .securityCheckFailed,
            "no sign-in waits for this callback: it was used already, its sign-in has ended, or it is not from here",
            hint: "authhub login to begin again")
    }
}
