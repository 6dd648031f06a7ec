/// A permanent fault of a server for testing a client. Each belongs to one of the checks.
///
/// ```swift
/// server.faults.play(persona)
/// ```
package struct FaultPersona: Sendable, Hashable, Identifiable {
    /// The check's ID and a word: `TR05-line-feed`.
    package let id: String
    /// A description of the server's behavior.
    package let mistake: String
    /// The place of the fault.
    package let place: Faults.Place
    /// The fault itself.
    package let fault: Fault
    /// Whether a client must tolerate the fault, so that the sign-in succeeds.
    package let isHarmless: Bool

    init(_ id: String, _ mistake: String, at place: Faults.Place, _ fault: Fault, isHarmless: Bool = false) {
        self.id = id
        self.mistake = mistake
        self.place = place
        self.fault = fault
        self.isHarmless = isHarmless
    }

    /// The ID of the check: `TR05`.
    package var check: String { String(id.prefix { $0 != "-" }) }

    /// The faults in a sign-in with a browser, by check.
    package static let signIn = authorization + tokens + metadata

    /// All faults.
    package static let all = signIn + device + messages
}

extension FaultPersona: CustomStringConvertible {
    package var description: String { "\(id): \(mistake)" }
}

extension Faults {
    /// Injects this persona's fault permanently from now on.
    package func play(_ persona: FaultPersona) {
        always(at: persona.place, persona.fault)
    }
}
