import AuthHubPrimitives
package import CredentialStorage
import OAuthProtocol

extension ResourceProtection {
    /// Returns what the resource's issuer is already used for in a store, if nothing shows that the issuer knows the resource: a malicious
    /// resource can name the issuer of another API and the other API's scope, and the user may have consented to that scope before. Then
    /// the resource would receive tokens for the other API.
    ///
    /// - Returns: The labels of accounts, and what else is stored; empty if the user or the program has named the issuer, if the issuer lists
    ///   the resource (`protected_resources`, RFC 9728 §4), or if the same host has tokens of the issuer anyway.
    /// - Throws: ``SessionError`` with `.storeFailed` if the store cannot be listed.
    package func otherUses(in store: any CredentialInventory) async throws(SessionError) -> [String] {
        guard !isConfirmed, !isKnownToIssuer, let origin = indicator?.origin else { return [] }
        var uses: [String] = []
        let book = AccountBook(store: store)
        let accounts = try await book.list()
        if !accounts.unreadable.isEmpty { uses.append("perhaps an account that cannot be read") }
        for label in accounts.labels {
            let (settings, profile): (AccountSettings, ProviderProfile)
            do throws(SessionError) {
                guard let stored = try await book.settings(of: label) else { continue }
                (settings, profile) = (stored, try stored.profile())
            } catch {
                guard error.code != .cancelledByProgram else { throw error }
                uses.append("perhaps the account “\(label)”, which cannot be read")
                continue
            }
            guard isServer(of: profile) else { continue }
            if settings.resource?.origin == origin { return [] }
            uses.append("the account “\(label)”")
        }
        do throws(CredentialStoreError) {
            if try await store.read(RegistrationKey(issuer: server.issuer).account) != nil { uses.append("a registered client") }
        } catch {
            throw SessionError(error)
        }
        return uses
    }

    /// Whether the provider is the resource's server. A provider without an issuer is recognized by the origins of its endpoints.
    private func isServer(of profile: ProviderProfile) -> Bool {
        if let issuer = profile.issuer { return issuer.hasSameBytes(as: server.issuer) }
        let names: [KeyPath<Endpoints, String?>] = [\.authorization, \.token]
        let own = names.compactMap { profile.endpoints?[keyPath: $0] }.compactMap(Origin.init(url:))
        let others = ([server.issuer] + names.compactMap { server.endpoints[keyPath: $0] }).compactMap(Origin.init(url:))
        return own.contains(where: others.contains)
    }

    /// Whether the issuer lists the resource, or is at the same origin.
    package var isKnownToIssuer: Bool {
        (server.protectedResources ?? []).contains { $0.hasSameBytes(as: resource.resource) }
            || indicator?.origin.map { $0 == Origin(url: server.issuer) } ?? false
    }

    /// The error for a resource whose issuer is used for something else.
    package func unconfirmed(_ uses: [String]) -> SessionError {
        let issuer = displayable(server.issuer, limit: 200)
        return SessionError(
            .securityCheckFailed,
            "\(displayable(resource.resource, limit: 200)) names \(issuer) as its server, which you also use "
                + "(\(displayable(uses.joined(separator: ", "), limit: 200))); nothing shows that \(issuer) knows this resource, so it could be "
                + "after your tokens for something else; confirm the issuer if they belong together (RFC 9728 §7.6)",
            underlying: ResourceAdvice.issuers([server.issuer]))
    }
}
