#if (canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// Tells the system the window of the app to show a page on.
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
    /// Whether the system will show a page on it, as far as that can be known: where there are scenes, the window's own has to be the one
    /// the person looks at.
    var isInFront: Bool {
        #if canImport(UIKit)
        windowScene?.activationState == .foregroundActive
        #else
        true
        #endif
    }
}
#endif
