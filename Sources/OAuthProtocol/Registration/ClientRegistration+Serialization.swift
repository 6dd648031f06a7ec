public import AuthHubPrimitives
import Platform

extension ClientRegistration {
    private static let format: Int64 = 1

    /// Serializes the registration as JSON. The result contains the client secret and the registration access token, so store it encrypted.
    public func serialized() -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["server"] = .string(server)
        members["client_id"] = .string(clientID)
        members["client_secret"] = clientSecret.map { .string($0.reveal()) }
        members["client_secret_expires_at"] = clientSecretExpiresAt.map(JSONValue.seconds)
        if lacksSecretExpiry { members["lacks_secret_expiry"] = true }
        members["client_id_issued_at"] = issuedAt.map(JSONValue.seconds)
        members["registration_client_uri"] = clientURI.map(JSONValue.string)
        members["registration_access_token"] = accessToken.map { .string($0.reveal()) }
        members["metadata"] = .object(metadata.members)
        return Secret(JSONValue.object(members).serialized())
    }

    /// Creates a registration from the output of ``serialized()``.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the bytes are anything else.
    public init(serialized: Secret<[UInt8]>) throws(OAuthError) {
        let members = try JSONObject(serialized.reveal(), of: "the stored registration")
        guard members["format"]?.number?.int64 == Self.format, let server = members["server"]?.string,
            let clientID = members["client_id"]?.string, !clientID.isEmpty
        else { throw OAuthError(.invalidResponse, "the stored registration is damaged or was written by a newer version of the program") }
        self.init(
            server: server, clientID: clientID, clientSecret: (members["client_secret"]?.string).map(Secret.init),
            clientSecretExpiresAt: members["client_secret_expires_at"]?.date,
            lacksSecretExpiry: members["lacks_secret_expiry"] == true, issuedAt: members["client_id_issued_at"]?.date,
            metadata: ClientMetadata(registered: members["metadata"]?.object ?? JSONObject()), differences: [], irregularities: [],
            clientURIProblem: nil,
            clientURI: members["registration_client_uri"]?.string,
            accessToken: (members["registration_access_token"]?.string).map(Secret.init))
    }
}

extension JSONValue {
    fileprivate static func seconds(_ date: Date) -> JSONValue { .number(JSONNumber(Int64(date.timeIntervalSince1970))) }

    fileprivate var date: Date? { number.map { Date(timeIntervalSince1970: $0.double) } }
}
