#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import Foundation
import WebAuthentication

/// The validated parameters for the system, which terminates the program if they are invalid.
struct Page: Sendable {
    let url: URL
    let callback: CallbackMethod
    let headerFields: [String: String]

    /// Creates a page.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, and with `.cannotReceive` if the response would be posted.
    init(_ request: WebAuthenticationRequest, callback: CallbackMethod) throws(WebAuthenticationError) {
        guard request.responseMode != .form else {
            throw WebAuthenticationError(.cannotReceive, "the system does not deliver posted forms; request the response in the query")
        }
        headerFields = try request.checkedHeaderFields()
        guard let url = URL(string: request.url, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), ["https", "http"].contains(scheme), url.host()?.isEmpty == false
        else {
            throw WebAuthenticationError(.cannotShow, "the URL of the page does not begin with https:// and a host")
        }
        self.url = url
        self.callback = callback
    }
}
#endif
