import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform

/// The fast path of `authhub token` for a token that is still valid: it reads two small files and writes one line.
///
/// Shell prompts, git and kubectl ask for a token many times an hour, and parsing arguments and starting the network library and a session
/// would take longer than returning the token. So the arguments of the common call are compared manually, and everything else (another
/// option, no record, a damaged one, a token about to expire) is left to the command itself, which checks it and reports the problem.
enum CachedTokenPath {
    /// Prints a cached token if there is one.
    ///
    /// - Returns: Whether the token was printed.
    static func run(_ arguments: [String]) -> Bool {
        guard let label = label(in: arguments), let token = token(of: label) else { return false }
        return StandardStreams.write(Array((token.value.reveal() + "\n").utf8), to: STDOUT_FILENO) == nil
    }

    private static func label(in arguments: [String]) -> String? {
        switch arguments.count {
        case 1 where arguments[0] == "token": AccountEnvironment.labelAtHand()
        case 3 where arguments[0] == "token" && arguments[1] == "--as" && !arguments[2].hasPrefix("-"): arguments[2]
        default: nil
        }
    }

    private static func token(of label: String) -> CachedToken? {
        guard let store = ToolStore.filesAtHand(),
            let settings = try? store.readNow(AccountSettings.recordAccount(label: label)),
            let account = AccountSettings.tokenAccount(in: settings.payload, label: label),
            let credential = try? store.readNow(account)
        else { return nil }
        return CachedToken(record: credential.payload, freshAt: Date())
    }
}
