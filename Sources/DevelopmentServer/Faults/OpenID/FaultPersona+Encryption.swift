import AuthHubPrimitives

/// Faults in encrypted ID tokens. They have no effect for clients that did not register for encryption.
extension FaultPersona {
    package static let encryption: [FaultPersona] = [
        bad("ID58-key", "an encrypted ID token with a wrong bit in the encrypted key", .encryption(.flippedKey)),
        bad("ID58-vector", "an encrypted ID token with a wrong bit in the initialization vector", .encryption(.flippedVector)),
        bad("ID58-content", "an encrypted ID token with a wrong bit in the content", .encryption(.flippedContent)),
        bad("ID58-tag", "an encrypted ID token with a wrong bit in the tag", .encryption(.flippedTag)),
        bad("ID58-short-tag", "an encrypted ID token with a tag of four bytes", .encryption(.shortenedTag)),
        bad("ID13-unsigned", "an encrypted ID token that is not signed", .encryption(.unsigned)),
        bad("ID20-cipher", "an encrypted ID token with A192GCM, which the client did not register").with(.cipher(.a192GCM)),
        bad("ID13-encrypted", "an encrypted ID token with a wrong signature", .signature(.flipped)),
        bad("ID24-encrypted", "an encrypted ID token for another client", .claim("aud", "other-client")),
    ]
}
