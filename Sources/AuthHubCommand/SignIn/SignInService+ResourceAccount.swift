import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// What an account may be bound to, and who decides it.
extension SignInService {
    /// Checks that the resource does not lead to a different issuer than the accounts that exist for it, unless that is allowed.
    func checkIssuer(of target: LoginResource, known: AccountSettings?) async throws(Failure) {
        if let known, target.hasOtherIssuer(than: known), !request.isByUser { throw target.issuerChanged(from: known, resourceOptions) }
        guard known?.resource != target.indicator else { return }
        if let known, let name = try? known.account(label: request.account.label),
            try await Failure.translating({ try await book.hasCredential(name) })
        {
            let present = known.resource.map { "for \($0)" } ?? "to \(known.displayName) as client \(known.client.id)"
            throw Failure(
                "label_taken", .failed, "“\(request.account.label)” is signed in \(present), not for \(target.indicator)",
                hint: "authhub logout\(request.account.suffix) first, or add --as NAME to keep both")
        }
        for (label, other) in await book.readable() where target.protection.competes(with: other, at: target.url) {
            guard request.isByUser else { throw target.issuerChanged(from: other, resourceOptions) }
            console.warn(
                "the account “\(label)” is\(other.resource.map { " for \($0)" } ?? "") at \(other.provider.name); this sign-in is at \(target.issuer)"
            )
        }
    }

    /// Asks whether a resource may get tokens of an issuer that the user has accounts or clients at, unless something shows that the issuer
    /// knows the resource.
    func confirmIssuer(of target: inout LoginResource, known: AccountSettings?) async throws(Failure) {
        guard known?.resource != target.indicator || target.hasOtherIssuer(than: known) else { return }
        let issuer = target.issuer
        var uses = try await Failure.translating { [target] in try await target.protection.otherUses(in: store) }
        if uses.isEmpty, !target.protection.isConfirmed, !target.protection.isKnownToIssuer,
            try await ClientBook(store: store).all().contains(where: { $0.server.hasSameBytes(as: issuer) })
        {
            uses = ["a remembered client"]
        }
        guard !uses.isEmpty else { return }
        let failure = resourceFailure(target.protection.unconfirmed(uses), at: target.url)
        let question =
            "\(target.indicator) wants tokens of \(issuer), which you also use (\(uses.joined(separator: ", "))). May it get them?"
        guard request.isByUser, try await Confirmation(console: console).asks(question) else { throw failure }
        target.protection.isConfirmed = true
    }

    /// Limits the settings to the resource, and adds the scope and the redirect URIs for it.
    func limit(
        _ settings: inout AccountSettings, to target: LoginResource, known: AccountSettings?, _ found: FoundClient?, needsCallback: Bool
    ) async throws(Failure) {
        try target.check(
            settings, found, typed: request.provider.client, environmentID: ProviderRequest.clientIDOfEnvironment, known: known)
        target.bind(&settings)
        if request.provider.scope == nil { settings.scope = target.protection.scope(after: known) }
        if needsCallback { await addRedirectURIs(to: &settings) }
    }

    /// Whether the account gets another client of the same server, because its own registration was deleted.
    func hasLostClient(_ known: AccountSettings?, _ settings: AccountSettings, at target: LoginResource) -> Bool {
        guard let known, known.resource == target.indicator, known.hasRegisteredClient, request.provider.client.id == nil else {
            return false
        }
        return !known.client.id.hasSameBytes(as: settings.client.id)
    }

    /// Warns about a resource whose server is not described, or is a different one than before.
    ///
    /// - Parameter former: The account at the server before; nil if it is the same.
    func warn(about target: LoginResource, former: AccountSettings?) {
        if target.protection.isAssumed {
            console.warn(
                "\(target.indicator) does not name its authorization server; signing in at \(target.issuer), as old MCP servers expect")
        }
        if let former, target.hasOtherIssuer(than: former) { console.warn(target.protection.change(from: former.provider.name)) }
        if !target.indicator.text.hasSameBytes(as: target.url) {
            console.warn("\(target.url) has no metadata of its own; the sign-in is for \(target.indicator) and all URLs below it")
        }
        if let issuer = Origin(url: target.issuer), issuer != target.indicator.origin {
            console.say("Tokens of \(target.issuer) will be sent to \(target.indicator).")
        }
    }
}
