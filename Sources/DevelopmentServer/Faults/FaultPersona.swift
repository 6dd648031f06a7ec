/// A mistake that a server makes always: what a client is tried with, check by check.
///
/// ```swift
/// server.faults.play(persona)
/// ```
public struct FaultPersona: Sendable, Hashable, Identifiable {
    /// The check's id and a word: `TR05-line-feed`.
    public let id: String
    /// What the server does.
    public let mistake: String
    /// Where it does so.
    public let place: Faults.Place
    /// How.
    public let fault: Fault
    /// Whether a client has to put up with it: then the sign-in works.
    public let isHarmless: Bool

    init(_ id: String, _ mistake: String, at place: Faults.Place, _ fault: Fault, isHarmless: Bool = false) {
        self.id = id
        self.mistake = mistake
        self.place = place
        self.fault = fault
        self.isHarmless = isHarmless
    }

    /// The id of the check: `TR05`.
    public var check: String { String(id.prefix { $0 != "-" }) }

    /// Those that a sign-in in a browser meets, by their checks.
    public static let signIn = authorization + tokens + metadata

    /// All of them.
    public static let all = signIn + device + messages
}

extension FaultPersona: CustomStringConvertible {
    public var description: String { "\(id): \(mistake)" }
}

extension Faults {
    /// From now on the server makes this mistake.
    public func play(_ persona: FaultPersona) {
        always(at: persona.place, persona.fault)
    }
}
