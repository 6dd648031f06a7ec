#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import AuthenticationServices
import Foundation
import WebAuthentication

extension WebAuthenticationError {
    /// Creates an error from one of `ASWebAuthenticationSession` or of the session from SwiftUI's environment.
    ///
    /// The underlying error is not stored: its contents are unknown, and could include a URL.
    init(system error: any Error) {
        guard let sessionError = error as? ASWebAuthenticationSessionError else {
            self =
                error is CancellationError
                ? Self(.cancelledByProgram) : Self(.refused, quoting: "the system cancelled the sign-in: \(error._domain) \(error._code)")
            return
        }
        switch sessionError.code.rawValue {
        case 1:
            // Also sent if the system itself cancels, because the app is not associated with the host: then there is a message.
            let words = Self.words(in: sessionError.userInfo)
            self = words.map { Self(.refused, quoting: $0) } ?? Self(.cancelledByUser)
        case 2:
            self.init(.cannotShow, "there is no window to show the page on; pass one of the app's windows to the authenticator")
        case 3:
            self.init(
                .cannotShow,
                "the system does not show the page on this window; sign in while it is in front; on macOS, also try with Safari as the default browser"
            )
        case let code:
            self.init(.refused, "the system cancelled the sign-in with code \(code) of ASWebAuthenticationSession")
        }
    }

    private static func words(in userInfo: [String: Any]) -> String? {
        let keys = [NSLocalizedFailureReasonErrorKey, "NSDebugDescription", NSLocalizedDescriptionKey] + userInfo.keys.sorted()
        return keys.lazy.compactMap { userInfo[$0] as? String }.first { !$0.isEmpty }
    }
}
#endif
