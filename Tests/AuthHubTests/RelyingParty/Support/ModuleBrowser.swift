import AsyncHTTPClientTransport
import AuthHubPrimitives
import HeadlessBrowsing
import WebAuthentication

/// A browser that keeps its cookies from one sign-in to the next. The user closes each page after the last step.
struct ModuleBrowser: PageOpener {
    private let browser = HeadlessBrowser(
        filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared, keepsCookies: true)

    var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: false) }

    func open(_ url: String) async throws(WebAuthenticationError) { try await browser.open(url) }

    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await browser.open(url)
        return ClosedWindow()
    }

    /// Visits a page of the server that is not part of a sign-in.
    func visit(_ url: String) async throws(WebAuthenticationError) { try await browser.visit(url) }

    private struct ClosedWindow: BrowserWindow {
        func closed() async -> WebAuthenticationError { WebAuthenticationError(.cancelledByUser) }
        func close() async {}
    }
}
