#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import AuthenticationServices
import Foundation
import WebAuthentication

extension WebAuthenticationError {
    /// What an error of `ASWebAuthenticationSession` or of the session in SwiftUI's environment means.
    ///
    /// The error itself is not kept: what the system puts into it is not known, and could be an address.
    init(system error: any Error) {
        guard let sessionError = error as? ASWebAuthenticationSessionError else {
            self =
                error is CancellationError
                ? Self(.cancelledByProgram) : Self(.refused, quoting: "the system cancelled the sign-in: \(error._domain) \(error._code)")
            return
        }
        switch sessionError.code.rawValue {
        case 1:
            // Also where the system ends it by itself, for want of an association with the host: then there are words.
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
