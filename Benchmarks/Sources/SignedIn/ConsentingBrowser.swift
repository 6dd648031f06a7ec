package import WebAuthentication

/// An authenticator that returns from the sign-in page immediately, with a code, and stores nothing, for measuring sessions.
///
/// The code is the request's nonce, if it has one, because the server must put that into its ID token.
package struct ConsentingBrowser: WebAuthenticator {
    package static let plainCode = "benchmark-code"

    package init() {}

    package var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    package func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt { Attempt() }

    private struct Attempt: WebAuthenticationAttempt {
        let redirectURI = "http://127.0.0.1:49152/callback"

        func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
            let query = request.url.drop { $0 != "?" }.dropFirst()
            let parameters = query.split(separator: "&")
            let state = parameters.first { $0.hasPrefix("state=") } ?? ""
            let nonce = parameters.first { $0.hasPrefix("nonce=") }?.dropFirst("nonce=".count)
            return ReceivedCallback(CallbackURL("\(redirectURI)?code=\(nonce ?? Substring(ConsentingBrowser.plainCode))&\(state)"))
        }

        func close() async {}
    }
}
