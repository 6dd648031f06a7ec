import Synchronization
import WebAuthentication

/// A browser that only records which pages it is asked to open.
final class OpenedPages: PageOpener {
    private let state = Mutex((urls: [String](), opens: true))

    var urls: [String] { state.withLock { $0.urls } }

    /// Makes all further attempts to open a page fail.
    func refuse() { state.withLock { $0.opens = false } }

    func open(_ url: String) async throws(WebAuthenticationError) {
        let opens = state.withLock { state in
            state.urls.append(url)
            return state.opens
        }
        if !opens { throw WebAuthenticationError(.cannotShow, "no browser is installed") }
    }
}
