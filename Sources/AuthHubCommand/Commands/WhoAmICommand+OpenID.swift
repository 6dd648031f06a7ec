import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

extension WhoAmICommand {
    private static let answerLimit = 1024 * 1024

    /// Returns the user whom a verified ID token names, with the claims of the UserInfo endpoint if the server has one.
    func verifiedPerson(_ identity: IDToken, of account: SignedInAccount) async throws(Failure) -> Person {
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider(needing: [.userInfo])
        } catch {
            throw await account.failure(error)
        }
        guard let endpoint = profile.endpoints?.userInfo else { return Person(identity, nil) }
        guard sendsToken(to: endpoint, profile) else {
            // If the account endpoint has another URL, the token is for that endpoint.
            guard profile.accountEndpoint == endpoint else { return Person(identity, nil) }
            throw sendsNoToken(to: endpoint)
        }
        let info: UserInfo
        do {
            info = try await account.session.userInfo()
        } catch {
            throw await account.failure(error)
        }
        guard info.claims["error"].map({ $0 == .null }) ?? true else {
            throw Failure(
                "server_misbehaved", .failed, "the UserInfo endpoint returned an error instead of the user's claims", hint: account.login)
        }
        return Person(identity, info)
    }

    /// Returns the user as the UserInfo endpoint describes them (OpenID Connect Core 1.0 §5.3), without an ID token that verifies it.
    func claimedPerson(of account: SignedInAccount) async throws(Failure) -> Person {
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider(needing: [.userInfo])
        } catch {
            throw await account.failure(error)
        }
        if let resource = account.settings.resource {
            throw Failure(
                "not_offered", .failed, "the tokens of “\(account.label)” are only for \(resource), so the user is not known",
                hint: "authhub status\(account.suffix)")
        }
        guard let endpoint = profile.accountEndpoint else {
            throw Failure(
                "not_offered", .failed, "\(account.settings.provider.name) has no endpoint that returns the signed-in user",
                hint: "for any other endpoint: authhub request GET URL")
        }
        guard sendsToken(to: endpoint, profile) else { throw sendsNoToken(to: endpoint) }
        let (response, bytes) = try await answer(at: endpoint, of: profile, account)
        guard response.notes.redirects.isEmpty else {
            throw Failure(
                "server_misbehaved", .failed, "the UserInfo endpoint redirects the request; its response was not used",
                hint: "check the provider's endpoints; if they are right, report this to the server's operator")
        }
        let status = response.status.code
        let claims = status == 200 ? try? JSONValue(received: bytes) : nil
        let isError = claims?["error"].map { $0 != .null } ?? false
        guard let claims, let subject = claims["sub"]?.string, !subject.isEmpty, !isError else {
            if account.settings.signsInWithoutPage { throw account.withoutUser }
            if let missing = response.stepUpRequirement?.scope, !missing.isEmpty { throw lacks(missing, account) }
            if status == 200, let claims, claims["sub"]?.string == nil { throw tellsInItsOwnForm(account, at: endpoint) }
            throw Failure(
                "server_misbehaved", status == 401 ? .signInNeeded : .failed,
                "the UserInfo endpoint responded \(status) without the user's claims",
                hint: status == 401 ? account.login : "\(account.login) --scope openid,profile,email")
        }
        return Person(claims.object ?? JSONObject(), subject: subject)
    }

    /// Without the token, the server's response says nothing about who is signed in.
    private func sendsToken(to endpoint: String, _ profile: ProviderProfile) -> Bool {
        Origin(url: endpoint).map(profile.tokenOrigins.contains) ?? false
    }

    private func sendsNoToken(to endpoint: String) -> Failure {
        Failure(
            "security_check_failed", .securityCheckFailed,
            "the server's metadata names a UserInfo endpoint at \(Origin(url: endpoint)?.description ?? displayable(endpoint, limit: 200)), "
                + "to which the token must not be sent; no request was sent",
            hint: "check the issuer's URL; if it is right, report this to the server's operator")
    }

    private func lacks(_ missing: Scope, _ account: SignedInAccount) -> Failure {
        var scopes = missing
        if case .signedIn(let facts) = account.session.state { scopes = facts.scope.union(missing) }
        return Failure(
            "denied", .denied,
            "access was denied: the token lacks the scope \(missing.names.joined(separator: ", "))",
            hint: "\(account.login) --scope \(scopes.names.joined(separator: ",").shellWord)")
    }

    private func tellsInItsOwnForm(_ account: SignedInAccount, at endpoint: String) -> Failure {
        Failure(
            "not_offered", .failed,
            "\(account.settings.displayName) describes the user in its own format, not in the OpenID Connect format",
            hint: "authhub request\(self.account.suffix) GET \(endpoint.shellWord) prints it")
    }

    private func answer(
        at url: String, of profile: ProviderProfile, _ account: SignedInAccount
    ) async throws(Failure) -> (LoadResponse, [UInt8]) {
        do throws(LoadError) {
            let response = try await account.session.load(.userInfo(at: url, of: profile, accepting: "application/json"))
            return (response, try await response.body.collect(upTo: Self.answerLimit))
        } catch {
            throw await account.failure(error)
        }
    }
}
