/// Whose record it is: a label of the person's choice, at one authorization server, for one client.
public struct CredentialAccount: Sendable, Hashable {
    /// The issuer, or another address that names the authorization server.
    public let server: String
    public let clientID: String
    /// Tells accounts at the same server apart; any text.
    public let label: String

    public init(server: String, clientID: String, label: String = "default") {
        self.server = server
        self.clientID = clientID
        self.label = label
    }
}
