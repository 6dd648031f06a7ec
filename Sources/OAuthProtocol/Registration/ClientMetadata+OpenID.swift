import AuthHubPrimitives
import JOSE

/// The members of OpenID Connect Dynamic Client Registration 1.0 §2.
extension ClientMetadata {
    /// How ID tokens and UserInfo responses are signed and encrypted, and when users must authenticate.
    public var openID: OpenIDRegistration {
        get {
            var registration = OpenIDRegistration()
            registration.idTokenSignature = signature("id_token")
            registration.idTokenEncryption = encryption("id_token")
            registration.userInfoSignature = signature("userinfo")
            registration.userInfoEncryption = encryption("userinfo")
            registration.requiresAuthenticationTime = members["require_auth_time"]?.bool ?? false
            registration.defaultMaximumAge = members["default_max_age"]?.number?.int64.flatMap(Int.init(exactly:))
            return registration
        }
        set {
            set("id_token", newValue.idTokenSignature, newValue.idTokenEncryption)
            set("userinfo", newValue.userInfoSignature, newValue.userInfoEncryption)
            members["require_auth_time"] = newValue.requiresAuthenticationTime ? true : nil
            members["default_max_age"] = newValue.defaultMaximumAge.map { .number(JSONNumber(Int64($0))) }
        }
    }

    private func signature(_ message: String) -> SignatureAlgorithm? {
        text("\(message)_signed_response_alg").map(SignatureAlgorithm.init(rawValue:))
    }

    private func encryption(_ message: String) -> OpenIDRegistration.Encryption? {
        text("\(message)_encrypted_response_alg").map { algorithm in
            let content = text("\(message)_encrypted_response_enc").map(ContentEncryption.init(rawValue:))
            return OpenIDRegistration.Encryption(KeyManagementAlgorithm(rawValue: algorithm), content: content ?? .a128CBCHS256)
        }
    }

    private mutating func set(_ message: String, _ signature: SignatureAlgorithm?, _ encryption: OpenIDRegistration.Encryption?) {
        members["\(message)_signed_response_alg"] = signature.map { .string($0.rawValue) }
        members["\(message)_encrypted_response_alg"] = encryption.map { .string($0.algorithm.rawValue) }
        members["\(message)_encrypted_response_enc"] = encryption.map { .string($0.content.rawValue) }
    }
}

extension ClientMetadata {
    /// The messages to the client that can be encrypted, by the prefixes of their members' names.
    static let encryptedResponses = ["id_token", "userinfo", "authorization", "introspection"]

    private static let algorithmMembers =
        encryptedResponses.flatMap { ["\($0)_signed_response_alg", "\($0)_encrypted_response_alg", "\($0)_encrypted_response_enc"] } + [
            "request_object_signing_alg", "request_object_encryption_alg", "request_object_encryption_enc",
            "token_endpoint_auth_signing_alg",
        ]
    private static let flags = ["require_auth_time", "frontchannel_logout_session_required", "backchannel_logout_session_required"]

    /// Creates metadata that a server has registered. Many servers return every member that they know: null and an empty string mean that it
    /// was not set, and `none` that a message is not encrypted, or is plain JSON. Only for ID tokens, `none` is the name of an algorithm,
    /// which is never accepted.
    init(registered members: JSONObject) {
        self.init(members.withoutEmptyMembers)
        for name in Self.algorithmMembers where name != "id_token_signed_response_alg" && self.members[name] == "none" {
            self.members[name] = nil
        }
    }

    /// The name of the first of these members that has the wrong type, so that the check it requests would silently be skipped; nil if
    /// there is none.
    var memberOfWrongOpenIDType: String? {
        for name in Self.algorithmMembers where members[name].map({ ($0.string ?? "").isEmpty && $0 != .null }) ?? false { return name }
        for name in Self.flags where members[name].map({ $0.bool == nil && $0 != .null }) ?? false { return name }
        if let age = members["default_max_age"], age != .null, age.number?.int64.map({ $0 < 0 || $0 > 1 << 53 }) ?? true {
            return "default_max_age"
        }
        return nil
    }

    /// - Throws: ``OAuthError`` with `.misuse` that names the member.
    func checkOpenID() throws(OAuthError) {
        if let name = memberOfWrongOpenIDType { throw Self.refused("\(name) has the wrong type") }
        for message in Self.encryptedResponses {
            let (algorithm, content) = ("\(message)_encrypted_response_alg", "\(message)_encrypted_response_enc")
            guard members[content] == nil || members[algorithm] != nil else { throw Self.refused("\(content) needs \(algorithm)") }
            let needsKey = text(algorithm).map { $0.hasPrefix("RSA") || $0.hasPrefix("ECDH") } ?? false
            guard !needsKey || members["jwks"] != nil || members["jwks_uri"] != nil else {
                throw Self.refused("\(algorithm) needs a public key in jwks or jwks_uri")
            }
        }
        guard members["request_object_encryption_enc"] == nil || members["request_object_encryption_alg"] != nil else {
            throw Self.refused("request_object_encryption_enc needs request_object_encryption_alg")
        }
        for message in ["id_token", "userinfo"] where text("\(message)_signed_response_alg") == "none" {
            throw Self.refused("\(message)_signed_response_alg is none; unsigned messages are never accepted")
        }
        if let uri = text("initiate_login_uri") {
            guard TransportPolicy.httpsOnly.allows(uri) else { throw Self.refused("initiate_login_uri is not an https URL") }
        }
        for name in ["frontchannel_logout_uri", "backchannel_logout_uri"] {
            guard let uri = text(name) else { continue }
            guard TransportPolicy.insecureHTTPOnLoopbackForDevelopment.allows(uri) else {
                throw Self.refused("\(name) is not an https URL")
            }
        }
        // The hash of a request object may follow as the fragment (OpenID Connect Core 1.0 §6.2).
        for uri in texts("request_uris") ?? [] where !TransportPolicy.httpsOnly.allows(String(uri.prefix { $0 != "#" })) {
            throw Self.refused("request_uris contains a value that is not an https URL")
        }
    }
}

extension JSONObject {
    /// The object without members that are null or an empty string.
    var withoutEmptyMembers: Self {
        var object = Self()
        for member in members where member.value != .null && member.value != "" { object.appendUnchecked(member.name, member.value) }
        return object
    }
}
