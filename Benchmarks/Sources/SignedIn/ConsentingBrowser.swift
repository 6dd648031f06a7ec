package import WebAuthentication

/// An authenticator that returns from the sign-in page immediately, with a code, and stores nothing, for measuring the memory of sessions.
package struct ConsentingBrowser: WebAuthenticator {
    package init() {}

    package var capabilities: WebAuthenticationCapabilities { .init(knowsCancel: true, isEphemeral: true) }

    package func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt { Attempt() }

    private struct Attempt: WebAuthenticationAttempt {
        let redirectURI = "http://127.0.0.1:49152/callback"

        func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
            let query = request.url.drop { $0 != "?" }.dropFirst()
            let state = query.split(separator: "&").first { $0.hasPrefix("state=") } ?? ""
            return ReceivedCallback(CallbackURL("\(redirectURI)?code=benchmark-code&\(state)"))
        }

        func close() async {}
    }
}
