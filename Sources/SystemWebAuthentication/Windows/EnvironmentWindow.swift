#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import AuthenticationServices
import Foundation
import SwiftUI
import WebAuthentication

/// The window of the session from SwiftUI's environment.
final class EnvironmentWindow: SystemWindow {
    private let session: WebAuthenticationSession
    private let isEphemeral: Bool
    private var showing: Task<Void, Never>?

    init(_ session: WebAuthenticationSession, isEphemeral: Bool) {
        self.session = session
        self.isEphemeral = isEphemeral
    }

    func open(_ page: Page, end: @escaping @Sendable (WindowEnd) -> Void) throws(WebAuthenticationError) {
        let callback = try ASWebAuthenticationSession.Callback.of(page.callback)
        showing = Task { [session, isEphemeral] in
            do {
                let url = try await session.authenticate(
                    using: page.url, callback: callback, preferredBrowserSession: isEphemeral ? .ephemeral : .shared,
                    additionalHeaderFields: page.headerFields)
                end(.success(url.absoluteString))
            } catch {
                end(.failure(WebAuthenticationError(system: error)))
            }
        }
    }

    /// Closes the window by cancelling the task that shows it, which is the only way.
    func close() {
        showing?.cancel()
    }
}
#endif
