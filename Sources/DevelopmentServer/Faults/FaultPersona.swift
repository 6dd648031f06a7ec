/// A permanent fault of a server for testing a client. Each belongs to one of the checks, or to a module of the OpenID Foundation's suite.
///
/// ```swift
/// server.faults.play(persona)
/// ```
package struct FaultPersona: Sendable, Hashable, Identifiable {
    /// The check's ID and a word, such as `TR05-line-feed`, or the name of the module, such as `oidcc-client-test-invalid-aud`.
    package let id: String
    /// A description of the server's behavior.
    package let behavior: String
    /// The place of the fault.
    package let place: Faults.Place
    /// The fault itself.
    package let fault: Fault
    /// Whether a client must tolerate the fault, so that the sign-in succeeds.
    package let isHarmless: Bool
    /// The faults at other places.
    package private(set) var others: [Injection] = []
    /// The quirks that the server has in addition to the faults.
    package private(set) var preparations: [Preparation] = []

    init(_ id: String, _ behavior: String, at place: Faults.Place, _ fault: Fault, isHarmless: Bool = false) {
        self.id = id
        self.behavior = behavior
        self.place = place
        self.fault = fault
        self.isHarmless = isHarmless
    }

    /// The ID of the check, such as `TR05`.
    package var check: String { String(id.prefix { $0 != "-" }) }

    /// The faults in a sign-in with a browser, by check.
    package static let signIn = authorization + tokens + metadata

    /// All faults.
    package static let all =
        signIn + device + messages + resources + assertions + openID + encryption + claims + discovery + frontChannel + logout
}

extension FaultPersona {
    /// Returns the persona with an additional fault.
    func and(at place: Faults.Place, fault: Fault, isOnce: Bool = false) -> Self {
        var persona = self
        persona.others.append(Injection(place: place, fault: fault, isOnce: isOnce))
        return persona
    }

    /// Returns the persona with additional changes at another place.
    func and(at place: Faults.Place, _ changes: AnswerChange...) -> Self {
        and(at: place, fault: .altered(changes))
    }

    /// Returns the persona with additional quirks.
    func with(_ preparations: Preparation...) -> Self {
        var persona = self
        persona.preparations += preparations
        return persona
    }
}

extension FaultPersona: CustomStringConvertible {
    package var description: String { "\(id): \(behavior)" }
}
