import AuthHubPrimitives
import AuthHubPrimitives
import HTTPLoading
import OAuthProtocol
import WebAuthentication

/// Shows the server's logout page, so that the browser's session at the server ends as well.
struct EndSessionPage: SessionPart {
    let context: SessionContext
    let browser: any WebAuthenticator

    /// Shows the page. Cancelling the task closes it, if the browser can.
    ///
    /// - Parameter idToken: The ID token of the user who was signed out; nil if there was none.
    @concurrent
    func show(hinting idToken: Secret<String>?) async -> SignOutReport.ServerSession {
        do {
            return try await visit(try await profile(), hinting: idToken) ? .ended : .notOffered
        } catch {
            let error = SessionError(cause: error)
            return [.cancelledByUser, .cancelledByProgram].contains(error.code) ? .cancelled : .failed(error)
        }
    }

    private func profile() async throws(SessionError) -> ProviderProfile {
        let profile = await result(within: Revoker.timeLimit, on: clock) { () async -> Result<ProviderProfile, SessionError> in
            do throws(SessionError) {
                return .success(try await server.resolved(needing: [.endSession]))
            } catch {
                return .failure(error)
            }
        }
        guard let profile else {
            guard !Task.isCancelled else { throw SessionError(.cancelledByProgram, "the sign-out page is no longer needed") }
            throw SessionError(.unreachable, "the server's endpoints could not be determined within \(Revoker.timeLimit.inWords)")
        }
        return try profile.get()
    }

    /// - Returns: Whether the server has such a page.
    private func visit(_ profile: ProviderProfile, hinting idToken: Secret<String>?) async throws -> Bool {
        guard profile.endpoints?.endSession != nil else { return false }
        let attempt = try await browser.prepare(CallbackMethod(client.redirectURI))
        let request: EndSessionRequest
        do {
            guard
                let made = try EndSessionRequest(
                    to: profile, client: client, returningTo: attempt.redirectURI, idTokenHint: idToken)
            else {
                await attempt.close()
                return false
            }
            request = made
            try await backChannel.checkPage(made.url)
        } catch {
            await attempt.close()
            throw error
        }
        var pending = request.pending
        let expectation = pending
        let received = try await attempt.authenticate(
            WebAuthenticationRequest(url: request.url, timeout: signInTimeout) { expectation.expects($0.url) })
        do {
            try pending.accept(received.callback.url)
        } catch {
            await received.conclude(.failed(error.explanation))
            throw error
        }
        await received.conclude(.signedOut)
        return true
    }
}
