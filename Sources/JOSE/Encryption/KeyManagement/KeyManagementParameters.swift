import AuthHubPrimitives

/// An algorithm for the content key with its parameters in the header of an encrypted token.
enum KeyManagementParameters: Sendable {
    case rsa(KeyManagementAlgorithm.RSAPadding)
    case agreement(Agreement)
    case keyWrap(keyLength: Int)
    case gcmKeyWrap(keyLength: Int, initializationVector: [UInt8], tag: [UInt8])
    case direct

    /// The parameters of ECDH-ES (RFC 7518 §4.6.1).
    struct Agreement: Sendable {
        let ephemeralKey: KeyAgreementPublicKey
        /// `apu`, decoded; empty if absent.
        let partyU: [UInt8]
        /// `apv`, decoded; empty if absent.
        let partyV: [UInt8]
        /// The length of the key that wraps the content key, in bytes; nil if the agreed key is the content key.
        let wrappingKeyLength: Int?
    }

    /// Whether the token has an encrypted content key. Otherwise, its second part must be empty (RFC 7516 §5.2).
    var hasEncryptedKey: Bool {
        switch self {
        case .direct: false
        case .agreement(let agreement): agreement.wrappingKeyLength != nil
        default: true
        }
    }
}

extension KeyManagementParameters {
    init(_ method: KeyManagementAlgorithm.Method, in header: JSONObject) throws(JOSEError) {
        switch method {
        case .rsa(let padding): self = .rsa(padding)
        case .agreement(let length): self = .agreement(try Agreement(header, wrappingKeyLength: length))
        case .keyWrap(let length): self = .keyWrap(keyLength: length)
        case .gcmKeyWrap(let length):
            self = .gcmKeyWrap(
                keyLength: length, initializationVector: try header.headerBytes("iv", count: 12),
                tag: try header.headerBytes("tag", count: 16))
        case .direct: self = .direct
        }
    }
}

extension KeyManagementParameters.Agreement {
    init(_ header: JSONObject, wrappingKeyLength: Int?) throws(JOSEError) {
        guard let members = header["epk"]?.object.map(KeyMembers.init), !KeyMembers.privateNames.contains(where: members.contains) else {
            throw JOSEError(.malformed, "the header's epk is missing, or is not a public key")
        }
        ephemeralKey = try KeyAgreementPublicKey(members)
        partyU = try header["apu"] == nil ? [] : header.headerBytes("apu")
        partyV = try header["apv"] == nil ? [] : header.headerBytes("apv")
        self.wrappingKeyLength = wrappingKeyLength
    }
}
