import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HeadlessBrowsing
import OAuthProtocol
import WebAuthentication

/// How sessions reach the server that a proof wrote itself, and its one client.
enum ProofServer {
    /// - Parameters:
    ///   - address: The origin of the authorization server, which is also the origin of the API.
    static func configuration(
        _ address: String, store: any CredentialStore, dependencies: Dependencies
    ) -> OAuthSession.Configuration {
        var profile = ProviderProfile(
            name: "proof", displayName: "the server of the proof",
            endpoints: Endpoints(authorization: address + "/authorize", token: address + "/token"))
        profile.transport = .insecureHTTPOnLoopbackForDevelopment
        profile.resourceOrigins = Origin(url: address).map { [$0] } ?? []
        let person = HeadlessBrowser(filling: FormFilling(user: "person", password: Secret("")), transport: NetworkTransport.shared)
        var configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "proof"), scope: ["read"],
            grant: .authorizationCode(BrowserAuthenticator(opener: person)), store: store, dependencies: dependencies)
        configuration.prompting = .manual
        return configuration
    }

    /// The store in files, with its key in a file next to it.
    static func store(in folder: String) -> EncryptedFileStore {
        EncryptedFileStore(folder: folder + "/credentials", key: KeyFile(path: folder + "/credentials.key"))
    }

    /// The codes of an error and of its underlying errors.
    static func name(of error: any Error) -> String {
        switch error {
        case let error as LoadError: ["\(error.code)", error.underlying.map(name)].compactMap(\.self).joined(separator: " / ")
        case let error as SessionError: ["\(error.code)", error.underlying.map(name)].compactMap(\.self).joined(separator: " / ")
        case let error as CredentialStoreError: "\(error.code)"
        default: "\(type(of: error))"
        }
    }
}
