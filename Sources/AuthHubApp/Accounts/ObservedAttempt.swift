import WebAuthentication

/// An attempt that tells the desk which page it shows.
struct ObservedAttempt: WebAuthenticationAttempt {
    let attempt: any WebAuthenticationAttempt
    let desk: SignInDesk

    var redirectURI: String { attempt.redirectURI }

    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
        await desk.shows(request.url)
        let result: Result<ReceivedCallback, WebAuthenticationError>
        do throws(WebAuthenticationError) {
            result = .success(try await attempt.authenticate(request))
        } catch {
            result = .failure(error)
        }
        await desk.shows(nil)
        return try result.get()
    }

    func showAgain() async throws(WebAuthenticationError) { try await attempt.showAgain() }

    func close() async { await attempt.close() }
}
