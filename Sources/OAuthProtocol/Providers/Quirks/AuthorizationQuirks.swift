extension ProviderQuirks {
    /// How authorization requests are created.
    package struct AuthorizationQuirks: Sendable, Hashable {
        /// How the code challenge of RFC 7636 is sent.
        package enum CodeChallenge: Sendable, Hashable {
            case s256
            /// The hash in lower-case hexadecimal digits instead of base64url (RFC 7636 §4.2).
            case s256InHexadecimal
            /// No challenge and no verifier, so that a stolen code can be used (RFC 9700 §2.1.1). For providers that reject the verifier.
            case withoutCodeChallengeBecauseTheProviderRejectsIt(reason: String)
        }

        /// How the code challenge is sent.
        package var codeChallenge = CodeChallenge.s256
        /// The parameter that lists the requested scope.
        package var scopeName = "scope"
        /// Whether the callback contains the granted scope, as `scope`. It is used if the token response does not contain the granted
        /// scope.
        package var callbackNamesGrantedScope = false

        package init() {}
    }
}

extension ProviderQuirks.AuthorizationQuirks.CodeChallenge {
    /// The challenge of a verifier; nil if none is sent.
    func challenge(of verifier: CodeVerifier) -> String? {
        switch self {
        case .s256: verifier.challenge
        case .s256InHexadecimal: verifier.hexadecimalChallenge
        case .withoutCodeChallengeBecauseTheProviderRejectsIt: nil
        }
    }

    var isSent: Bool {
        if case .withoutCodeChallengeBecauseTheProviderRejectsIt = self { false } else { true }
    }
}
