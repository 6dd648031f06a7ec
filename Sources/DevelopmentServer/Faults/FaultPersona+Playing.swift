import Synchronization

extension FaultPersona {
    /// A fault at a place.
    package struct Injection: Sendable, Hashable {
        package let place: Faults.Place
        package let fault: Fault
        /// Whether only the next request gets the fault.
        package let isOnce: Bool
    }

    /// A quirk that the server has while the persona is played.
    package enum Preparation: Sendable, Hashable {
        case algorithm(SigningAlgorithm)
        case userClaimsInIDToken
        case noIDTokenAfterRefresh
        case keyRotation(Persona.OpenIDQuirks.KeyRotation)
        case userInfo(Persona.OpenIDQuirks.UserInfoFormat)
        case userInfoToken(Persona.OpenIDQuirks.UserInfoToken)
        case otherClaims(Persona.OpenIDQuirks.OtherClaims)
        case plainTokens
        case cipher(ContentCipher)
        case assertions(Persona.AssertionRules)
        case identityAssertion(Persona.IdentityAssertionFlaw)
    }
}

extension Faults {
    /// Injects this persona's faults permanently from now on, except those that only the next request gets, and gives the server the
    /// persona's quirks. ``clear()`` reverts both.
    package func play(_ persona: FaultPersona) {
        let earlier = state.openIDConnect.withLock { quirks in
            defer { for preparation in persona.preparations { preparation.apply(to: &quirks) } }
            return quirks
        }
        if !persona.preparations.isEmpty { orders.quirks.withLock { $0 = $0 ?? earlier } }
        always(at: persona.place, persona.fault)
        for other in persona.others {
            if other.isOnce { next(at: other.place, other.fault) } else { always(at: other.place, other.fault) }
        }
    }
}

extension FaultPersona.Preparation {
    fileprivate func apply(to quirks: inout Persona.OpenIDQuirks) {
        switch self {
        case .algorithm(let algorithm): quirks.algorithm = algorithm
        case .userClaimsInIDToken: quirks.hasUserClaimsInIDToken = true
        case .noIDTokenAfterRefresh: quirks.returnsIDTokenAfterRefresh = false
        case .keyRotation(let rotation): quirks.keyRotation = rotation
        case .userInfo(let format): quirks.userInfo = format
        case .userInfoToken(let place): quirks.userInfoToken = place
        case .otherClaims(let kind): quirks.otherClaims.insert(kind)
        case .plainTokens: quirks.encryptsTokens = false
        case .cipher(let cipher): quirks.cipher = cipher
        case .assertions(let rules): quirks.assertions = rules
        case .identityAssertion(let flaw): quirks.identityAssertionFlaw = flaw
        }
    }
}
