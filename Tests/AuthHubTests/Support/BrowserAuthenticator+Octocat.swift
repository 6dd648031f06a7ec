import AsyncHTTPClientTransport
import AuthHubPrimitives
import HeadlessBrowsing
import WebAuthentication

extension BrowserAuthenticator {
    /// A user of the development server, who signs in and gives every consent.
    static let octocat = BrowserAuthenticator(
        opener: HeadlessBrowser(
            filling: FormFilling(user: "octocat", password: Secret("octocat-password")), transport: NetworkTransport.shared))
}
