#if canImport(SwiftUI)
import Foundation
import WebAuthentication

/// An opener that passes a page to the default browser in the system's settings, without observing it.
struct DefaultBrowser: PageOpener {
    func open(_ url: String) async throws(WebAuthenticationError) {
        guard let page = URL(string: url), await ForegroundApp.open(page) else {
            throw WebAuthenticationError(.cannotShow, "the system did not open the page")
        }
    }
}
#endif
