#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import AuthenticationServices
import Foundation
import WebAuthentication

/// The window of an `ASWebAuthenticationSession`.
final class SessionWindow: SystemWindow {
    private let isEphemeral: Bool
    private var session: ASWebAuthenticationSession?

    #if os(tvOS) || os(watchOS)
    init(isEphemeral: Bool) {
        self.isEphemeral = isEphemeral
    }
    #else
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor?
    /// Stored here because the session does not keep it alive.
    private var context: PresentationContext?

    init(isEphemeral: Bool, anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
        self.isEphemeral = isEphemeral
        self.anchor = anchor
    }
    #endif

    func open(_ page: Page, end: @escaping @Sendable (WindowEnd) -> Void) throws(WebAuthenticationError) {
        let session = ASWebAuthenticationSession(
            url: page.url, callback: try .of(page.callback), completionHandler: Self.completionHandler(end))
        if !page.headerFields.isEmpty { session.additionalHeaderFields = page.headerFields }
        #if !os(tvOS)
        session.prefersEphemeralWebBrowserSession = isEphemeral
        #endif
        #if !os(tvOS) && !os(watchOS)
        let context = PresentationContext(try usableAnchor())
        session.presentationContextProvider = context
        self.context = context
        #endif
        guard session.start() else {
            throw WebAuthenticationError(
                .cannotShow, "the system did not start the sign-in; show it while the app is in front and no other sign-in is shown")
        }
        self.session = session
    }

    func close() {
        session?.cancel()
    }

    /// Returns the completion handler. It is nonisolated: the system calls it on any thread, and a handler isolated to the main actor would
    /// trap there.
    private nonisolated static func completionHandler(
        _ end: @escaping @Sendable (WindowEnd) -> Void
    ) -> @Sendable (URL?, (any Error)?) -> Void {
        { url, error in
            if let error {
                end(.failure(WebAuthenticationError(system: error)))
            } else if let url {
                end(.success(url.absoluteString))
            } else {
                end(.failure(WebAuthenticationError(.refused, "the system cancelled the sign-in without a reason")))
            }
        }
    }

    #if !os(tvOS) && !os(watchOS)
    private func usableAnchor() throws(WebAuthenticationError) -> ASPresentationAnchor {
        guard let anchor = anchor() else {
            throw WebAuthenticationError(
                .cannotShow, "there is no window to show the page on; pass one of the app's windows to the authenticator")
        }
        guard anchor.isInFront else {
            throw WebAuthenticationError(
                .cannotShow, "the window to show the page on is not in the foreground; sign in while its scene is active")
        }
        return anchor
    }
    #endif
}

extension ASWebAuthenticationSession.Callback {
    /// Returns the system's callback for a method: only the scheme, or host and path, normalized as browsers do.
    static func of(_ method: CallbackMethod) throws(WebAuthenticationError) -> ASWebAuthenticationSession.Callback {
        switch method {
        case .customScheme(let scheme, _): customScheme(scheme.lowercased())
        case .https(let host, let path): https(host: host.lowercased(), path: path)
        case .pinPage: throw WebAuthenticationError(.cannotReceive, "the text on the provider's page must be pasted; there is no callback")
        case .loopback: throw WebAuthenticationError(.cannotReceive, "a loopback callback needs a listener on 127.0.0.1")
        }
    }
}
#endif
