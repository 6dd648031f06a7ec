/// A permanent fault of a server for testing a client. Each belongs to one of the checks.
///
/// ```swift
/// server.faults.play(persona)
/// ```
public struct FaultPersona: Sendable, Hashable, Identifiable {
    /// The check's ID and a word: `TR05-line-feed`.
    public let id: String
    /// A description of the server's behavior.
    public let mistake: String
    /// The place of the fault.
    public let place: Faults.Place
    /// The fault itself.
    public let fault: Fault
    /// Whether a client must tolerate the fault, so that the sign-in succeeds.
    public let isHarmless: Bool

    init(_ id: String, _ mistake: String, at place: Faults.Place, _ fault: Fault, isHarmless: Bool = false) {
        self.id = id
        self.mistake = mistake
        self.place = place
        self.fault = fault
        self.isHarmless = isHarmless
    }

    /// The ID of the check: `TR05`.
    public var check: String { String(id.prefix { $0 != "-" }) }

    /// The faults in a sign-in with a browser, by check.
    public static let signIn = authorization + tokens + metadata

    /// All faults.
    public static let all = signIn + device + messages
}

extension FaultPersona: CustomStringConvertible {
    public var description: String { "\(id): \(mistake)" }
}

extension Faults {
    /// Injects this persona's fault permanently from now on.
    public func play(_ persona: FaultPersona) {
        always(at: persona.place, persona.fault)
    }
}
