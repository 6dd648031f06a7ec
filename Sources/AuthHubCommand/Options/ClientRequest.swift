import AuthHubPrimitives
import OAuthProtocol

/// The client that the user names for a command, and the files with its credentials.
struct ClientRequest: Sendable {
    var id: String?
    /// The path of the file with the client secret, or `-` for standard input.
    var secretFile: String?
    /// The path of the file with the private key, or `-` for standard input.
    var privateKeyFile: String?
    var authentication: ClientAuthenticationMethod?

    /// The option that gives the client's secret: with the file that was typed, or else a placeholder.
    var secretOption: String { "--client-secret-file \(secretFile?.shellWord ?? "FILE")" }

    /// - Throws: ``Failure`` for an ID that no server issues.
    static func check(_ id: String) throws(Failure) {
        if !OAuthClient.isValidID(id) { throw .invalidClientID }
    }

    /// Sets the client's secret or key, and its authentication method.
    ///
    /// - Returns: Whether a secret or a key was named.
    @discardableResult
    func setCredentials(of client: inout OAuthClient) throws(Failure) -> Bool {
        defer { if let authentication { client.authentication = authentication } }
        if let secretFile {
            let secret = try InputFile.secret(in: secretFile, called: "client secret")
            (client.secret, client.keys, client.authentication) = (secret, nil, nil)
        } else if let privateKeyFile {
            let keys = ClientKeys(signing: try PrivateKeyFile.key(in: privateKeyFile))
            (client.secret, client.keys, client.authentication) = (nil, keys, .privateKeyJWT)
        } else {
            return false
        }
        return true
    }
}
