import AuthHub
import AuthHubPrimitives
import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// `authhub token` for a token that is still good: two small files are read, one line is written.
///
/// Shell prompts, git and kubectl ask for a token many times an hour, and parsing arguments, starting the network library and a session
/// would cost more than the answer. So the words of the common call are compared by hand, and whatever is not exactly that (another
/// option, no record, a damaged one, a token about to end) is left to the command itself, which judges it and says what is wrong.
enum CachedTokenPath {
    /// - Returns: Whether the token was printed.
    static func run(_ arguments: [String]) -> Bool {
        guard let label = label(in: arguments), let token = token(of: label) else { return false }
        return StandardStreams.write(Array((token.value.reveal() + "\n").utf8), to: STDOUT_FILENO) == nil
    }

    private static func label(in arguments: [String]) -> String? {
        switch arguments.count {
        case 1 where arguments[0] == "token": "default"
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
