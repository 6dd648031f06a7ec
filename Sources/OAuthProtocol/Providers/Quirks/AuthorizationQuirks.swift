extension ProviderQuirks {
    /// How the authorization request is made.
    public struct AuthorizationQuirks: Sendable, Hashable {
        /// How the proof of RFC 7636 goes out.
        public enum CodeChallenge: Sendable, Hashable {
            case s256
            /// The hash in lower-case hexadecimal digits where RFC 7636 §4.2 asks for base64url.
            case s256InHexadecimal
            /// No challenge, no verifier: a stolen code is worth something (RFC 9700 §2.1.1). For providers that refuse the verifier.
            case withoutCodeChallengeBecauseTheProviderRefusesIt(reason: String)
        }

        /// How the proof goes out here.
        public var codeChallenge = CodeChallenge.s256
        /// The parameter that lists what is asked for.
        public var scopeName = "scope"
        /// Whether the callback lists, as `scope`, what was granted; it counts where the token answer does not say.
        public var callbackNamesGrantedScope = false

        public init() {}
    }
}

extension ProviderQuirks.AuthorizationQuirks.CodeChallenge {
    /// The challenge of a verifier; nil where none is sent.
    func challenge(of verifier: CodeVerifier) -> String? {
        switch self {
        case .s256: verifier.challenge
        case .s256InHexadecimal: verifier.hexadecimalChallenge
        case .withoutCodeChallengeBecauseTheProviderRefusesIt: nil
        }
    }

    var isSent: Bool {
        if case .withoutCodeChallengeBecauseTheProviderRefusesIt = self { false } else { true }
    }
}
