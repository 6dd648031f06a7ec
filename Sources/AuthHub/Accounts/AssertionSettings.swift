import AuthHubPrimitives
import CredentialStorage
package import OAuthProtocol

/// The source of an account's assertions, with which it signs in without a page. The files are read again for each token.
package enum AssertionSettings: Sendable, Equatable {
    /// The absolute path of a file with a token of the platform (RFC 7523 §2.1).
    case file(String)
    /// The issuer of the user's identity provider, the client there, and the absolute path of a file with the user's ID token.
    case identityProvider(issuer: String, client: OAuthClient, idTokenFile: String)

    /// The absolute path of the file with the token.
    package var path: String {
        switch self {
        case .file(let path), .identityProvider(_, _, let path): path
        }
    }
}

extension AccountSettings {
    /// Whether the account signs in without asking a user.
    package var signsInWithoutPage: Bool { usesClientCredentials || assertion != nil }

    /// Returns how the account obtains tokens if it needs no user; nil if it needs one.
    ///
    /// - Throws: ``SessionError`` with `.misconfigured` if the identity provider cannot be used.
    package func grantWithoutPage(_ dependencies: Dependencies) throws(SessionError) -> AuthorizationGrant? {
        switch assertion {
        case nil: return usesClientCredentials ? .clientCredentials : nil
        case .file(let path)?: return .jwtBearer { try AssertionSettings.token(in: path, called: "assertion") }
        case .identityProvider(let issuer, let client, let file)?:
            // The user chose the identity provider; the resource's server did not.
            var dependencies = dependencies
            dependencies.hostGuard = nil
            let provider = try ProviderReference.issuer(issuer).profile(hasSecret: client.secret != nil, transport: transport)
            return .identityAssertion(
                from: IdentityAssertionSource(at: provider, as: client, dependencies: dependencies) {
                    TokenExchange.TypedToken(try AssertionSettings.token(in: file, called: "ID token"), .idToken)
                })
        }
    }
}

extension AssertionSettings {
    /// Reads a file that contains only a token.
    fileprivate static func token(in path: String, called name: String) throws(SessionError) -> Secret<String> {
        let token: Secret<String>
        do throws(CredentialStoreError) {
            token = try SecretFile.line(in: path)
        } catch {
            throw SessionError(
                .misconfigured, "the file with the \(name) cannot be used: \(displayable(error.explanation, limit: 1000))")
        }
        guard token.reveal().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SessionError(.misconfigured, "the file must contain the \(name) and nothing else: \(displayable(path, limit: 500))")
        }
        return token
    }
}

extension AssertionSettings {
    /// Creates the settings from a member of a stored record; nil if it is damaged.
    package init?(record: JSONValue) {
        if let path = record["file"]?.string {
            self = .file(path)
        } else if let issuer = record["issuer"]?.string, let file = record["id_token_file"]?.string,
            let client = record["client"]?.object.flatMap(OAuthClient.init(credentials:))
        {
            self = .identityProvider(issuer: issuer, client: client, idTokenFile: file)
        } else {
            return nil
        }
    }

    package var record: JSONValue {
        switch self {
        case .file(let path): ["file": .string(path)]
        case .identityProvider(let issuer, let client, let file):
            ["issuer": .string(issuer), "id_token_file": .string(file), "client": .object(client.credentials)]
        }
    }
}
