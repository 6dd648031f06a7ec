#if canImport(SwiftUI)
import Foundation
import WebAuthentication

/// Hands a page to the browser that the person has chosen in the system's settings, and hears nothing more of it.
struct DefaultBrowser: PageOpener {
    func open(_ url: String) async throws(WebAuthenticationError) {
        guard let page = URL(string: url), await ForegroundApp.open(page) else {
            throw WebAuthenticationError(.cannotShow, "the system did not open the page")
        }
    }
}
#endif
