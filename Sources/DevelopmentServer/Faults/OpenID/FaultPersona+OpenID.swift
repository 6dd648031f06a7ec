/// Faults in everything that is signed, and in the keys for it. The descriptions say what a correct client does.
extension FaultPersona {
    /// The faults in ID tokens, keys and userinfo responses, and the modules of the OpenID Foundation's suite for relying parties.
    package static let openID = idTokens + idTokenClaims + refreshedIDTokens + keySets + userInfo + relyingParty

    /// Creates a fault that a correct client rejects.
    static func bad(_ id: String, _ behavior: String, at place: Faults.Place = .tokenEndpoint, _ changes: AnswerChange...) -> Self {
        FaultPersona(id, behavior + rejected, at: place, .altered(changes))
    }

    /// Creates a quirk that a correct client accepts.
    static func good(_ id: String, _ behavior: String, at place: Faults.Place = .tokenEndpoint, _ changes: AnswerChange...) -> Self {
        FaultPersona(id, behavior + accepted, at: place, .altered(changes), isHarmless: true)
    }

    static let rejected = "; a client rejects it"
    static let accepted = "; a client accepts it"
}
