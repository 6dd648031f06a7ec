import AuthHubPrimitives
public import CredentialStorage
public import HTTPTypes
public import OAuthProtocol
import Platform

/// Receives the messages of an OpenID provider that a user has signed out there, and signs the user's accounts out here.
///
/// Mount the two methods in any HTTP server, at the URLs that the client registered as `backchannel_logout_uri` and
/// `frontchannel_logout_uri`. Programs on several machines need a shared store, so that each message is accepted once.
public struct LogoutReceiver: Sendable {
    /// The response to a message, and its effect.
    public struct Outcome: Sendable {
        /// The head of the response.
        public let response: HTTPResponse
        /// The body of the response.
        public let body: String
        /// The accounts that were signed out.
        public let signedOut: [CredentialAccount]
        /// Why the message was rejected; nil if it was accepted. For logs.
        public let problem: SessionError?
    }

    private let server: ProviderProfile
    private let client: OAuthClient
    private let store: any CredentialStore
    private let dependencies: Dependencies

    /// Creates a receiver for the messages of one provider to one client. Sends no request.
    public init(server: ProviderProfile, client: OAuthClient, store: any CredentialStore, dependencies: Dependencies) {
        self.server = server
        self.client = client
        self.store = store
        self.dependencies = dependencies
    }
}

extension LogoutReceiver {
    /// Accepts a request to the `backchannel_logout_uri` (OpenID Connect Back-Channel Logout 1.0 §2.5).
    ///
    /// The provider signs the message, and each message is accepted once. All accounts of the session or user that it names are signed out,
    /// and their tokens are revoked. Running sessions are signed out at once if the store reports changes (`CredentialChangeFeed`).
    ///
    /// - Parameter body: The body of the request, at most 128 KiB.
    /// - Returns: The response, with status 200, 400 if the message is not valid, or 503 if the accounts could not be signed out.
    public func backChannelLogout(_ request: HTTPRequest, body: [UInt8]) async -> Outcome {
        do throws(SessionError) {
            let text = try Self.logoutToken(in: request, body)
            let backChannel = BackChannel(dependencies)
            let directory = ServerDirectory(server, clientID: client.id, tokenOrigins: [], forOpenID: true, backChannel: backChannel)
            let profile = try await directory.resolved(needing: [.jwks])
            let keys = ServerKeys(client: client, backChannel: backChannel, isForStrangers: true)
            let token = try await keys.validate(at: profile) { keys throws(OAuthError) in
                try LogoutToken(text, keys: keys, client: client, at: profile, now: dependencies.now())
            }
            return try await accept(token)
        } catch {
            return Self.rejected(error)
        }
    }

    /// Accepts a request to the `frontchannel_logout_uri`, which the provider's page loads in a frame (OpenID Connect Front-Channel Logout
    /// 1.0 §2).
    ///
    /// Only an account whose sign-in has exactly this issuer and session is signed out. Anyone can make a browser send such a request. A
    /// request without an issuer and a session, or with the issuer of another server, has no effect, and the store is not read.
    ///
    /// - Returns: The response, with status 200, whether or not an account was signed out.
    public func frontChannelLogout(_ request: HTTPRequest) async -> Outcome {
        let query = request.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let parameters = FormParameters(received: query.utf8)
        guard request.method == .get, let issuer = parameters.exact("iss"), server.mayIssueIDTokens(as: issuer),
            let session = parameters.exact("sid"), !session.isEmpty
        else { return Outcome(response: Self.head(.ok), body: Self.emptyPage, signedOut: [], problem: nil) }
        do throws(SessionError) {
            let ended = try await signOut { token in
                token.issuer.hasSameBytes(as: issuer) && token.sessionID?.hasSameBytes(as: session) ?? false
            }
            return Outcome(response: Self.head(.ok), body: Self.emptyPage, signedOut: ended, problem: nil)
        } catch {
            return Outcome(response: Self.head(.ok), body: Self.emptyPage, signedOut: [], problem: error)
        }
    }

    private func accept(_ token: LogoutToken) async throws(SessionError) -> Outcome {
        let account = CredentialAccount(server: server.identity, clientID: client.id)
        let seen = SeenLogoutTokens(of: account, in: store, now: dependencies.now)
        guard try await !seen.contains(token) else {
            throw SessionError(.securityCheckFailed, "the logout token was already used (jti)")
        }
        let ended = try await signOut { token.ends($0) }
        // Last, so that the provider can send the message again if signing out fails. Signing out twice does no harm.
        _ = try await seen.add(token)
        return Outcome(response: Self.head(.ok), body: "", signedOut: ended, problem: nil)
    }

    /// Signs out the accounts whose ID token meets a condition.
    private func signOut(where isEnded: @escaping @Sendable (IDToken) -> Bool) async throws(SessionError) -> [CredentialAccount] {
        let accounts = OAuthAccounts(store: store)
        let isMeant: @Sendable (Credential) -> Bool = { $0.idToken.flatMap(IDToken.init(stored:)).map(isEnded) ?? false }
        var ended: [CredentialAccount] = []
        var failure: SessionError?
        for account in try await accounts.names(of: server, client: client).accounts {
            do throws(SessionError) {
                guard let stored = try await store.credential(of: account), isMeant(stored.credential) else { continue }
                let report = await accounts.remove(
                    account.label, of: server, client: client, dependencies: dependencies, if: isMeant)
                if let problem = report.problem { throw problem }
                // The user has signed in again in the meantime.
                if case .notNeeded = report.revocation { continue }
                ended.append(account)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return ended
    }

    private static let sizeLimit = 128 * 1024

    private static func logoutToken(in request: HTTPRequest, _ body: [UInt8]) throws(SessionError) -> Secret<String> {
        let type = request.headerFields.mediaType
        guard request.method == .post, type == "application/x-www-form-urlencoded", body.count <= sizeLimit,
            let token = FormParameters(received: body).exact("logout_token")
        else { throw SessionError(.serverMisbehaved, "the request is not a form with one logout_token") }
        return Secret(token)
    }

    private static func rejected(_ error: SessionError) -> Outcome {
        let isOurs = [.unreachable, .serverRejected, .storeFailed, .misconfigured, .cancelledByProgram].contains(error.code)
        let body: JSONValue = ["error": .string(isOurs ? "temporarily_unavailable" : "invalid_request")]
        var head = head(isOurs ? .serviceUnavailable : .badRequest)
        head.headerFields[.contentType] = "application/json"
        return Outcome(
            response: head, body: String(decoding: body.serialized(), as: UTF8.self), signedOut: [], problem: error)
    }

    private static func head(_ status: HTTPResponse.Status) -> HTTPResponse {
        HTTPResponse(status: status, headerFields: [.cacheControl: "no-store", .contentType: "text/html; charset=utf-8"])
    }

    private static let emptyPage = "<!doctype html><title>Signed out</title>"
}
