#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import Foundation
import WebAuthentication

/// What the system gets to show, checked: what it does not like, it answers by ending the program.
struct Page: Sendable {
    let url: URL
    let callback: CallbackMethod
    let headerFields: [String: String]

    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, and `.cannotReceive` for an answer that would be posted.
    init(_ request: WebAuthenticationRequest, callback: CallbackMethod) throws(WebAuthenticationError) {
        guard request.carrier != .form else {
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
