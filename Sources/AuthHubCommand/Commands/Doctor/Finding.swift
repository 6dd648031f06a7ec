import AuthHubPrimitives

/// The result of one of the doctor's checks.
struct Finding: Sendable, Equatable {
    enum State: String, Sendable {
        case ok
        /// Something is missing that some commands need.
        case warn
        /// Something is broken.
        case fail
    }

    /// The name of the check.
    let check: String
    let state: State
    let text: String
    /// The command to run next, or what to change; nil if the state is ok.
    let next: String?

    private init(_ check: String, _ state: State, _ text: String, next: String? = nil) {
        self.check = check
        self.state = state
        self.text = displayable(text, limit: 1000)
        self.next = next
    }

    static func ok(_ check: String, _ text: String) -> Self { Self(check, .ok, text) }
    static func warn(_ check: String, _ text: String, next: String) -> Self { Self(check, .warn, text, next: next) }
    static func fail(_ check: String, _ text: String, next: String) -> Self { Self(check, .fail, text, next: next) }
}

extension Finding {
    var json: JSONValue {
        ["check": .string(check), "state": .string(state.rawValue), "text": .string(text), "next": next.map(JSONValue.string) ?? .null]
    }

    func line(_ style: Style, width: Int) -> String {
        let tint: Style.Tint =
            switch state {
            case .ok: .green
            case .warn: .yellow
            case .fail: .red
            }
        let mark = style(state.rawValue, tint) + String(repeating: " ", count: 4 - state.rawValue.count)
        let name = check + String(repeating: " ", count: max(0, width - check.count))
        let advice = next.map { "\n" + String(repeating: " ", count: width + 8) + style("next:", .cyan) + " " + $0 } ?? ""
        return "\(mark)  \(name)  \(text)\(advice)"
    }
}
