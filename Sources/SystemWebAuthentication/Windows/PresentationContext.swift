#if (canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// The object that provides the app's window on which the system shows a page.
final class PresentationContext: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    init(_ anchor: ASPresentationAnchor) {
        self.anchor = anchor
    }

    nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        anchor
    }
}

extension ASPresentationAnchor {
    /// Whether the system will show a page on it, as far as is known: if there are scenes, the window's scene must be in the foreground.
    var isInFront: Bool {
        #if canImport(UIKit)
        windowScene?.activationState == .foregroundActive
        #else
        true
        #endif
    }
}
#endif
