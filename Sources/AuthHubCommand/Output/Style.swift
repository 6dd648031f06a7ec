/// How a stream is dressed: with colour where a person looks at it, else plain.
struct Style: Sendable {
    enum Tint: String, CaseIterable, Sendable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// The parameters for black on white, independent of the terminal's colours.
    static let blackOnWhite = "38;5;16;48;5;231"

    let isColored: Bool

    func callAsFunction(_ text: String, _ tints: Tint...) -> String {
        guard isColored, !tints.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(tints.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// Whether the parameters belong to a sequence that this tool writes itself.
    static func isOwn(_ parameters: String) -> Bool {
        parameters == blackOnWhite || parameters == "0" || parameters.split(separator: ";").allSatisfy { Tint(rawValue: String($0)) != nil }
    }

    /// A line for each name and its value, the values below one another.
    func facts(_ facts: [(name: String, value: String)]) -> String {
        let width = facts.map(\.name.count).max() ?? 0
        return facts.map { name, value in
            self(name + String(repeating: " ", count: width - name.count), .faint) + "  " + value
        }.joined(separator: "\n")
    }
}

extension Style {
    /// - Parameters:
    ///   - isTerminal: Whether the stream is one.
    ///   - environment: `NO_COLOR` with any text (no-color.org) and a dumb terminal switch colour off.
    init(_ mode: ColorMode, isTerminal: Bool, environment: [String: String]) {
        switch mode {
        case .always: isColored = true
        case .never: isColored = false
        case .auto: isColored = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}
