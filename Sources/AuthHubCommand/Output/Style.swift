/// The style of a stream: in color if a user reads it, else plain.
struct Style: Sendable {
    enum Tint: String, CaseIterable, Sendable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// The parameters for black on white, independent of the terminal's colors.
    static let blackOnWhite = "38;5;16;48;5;231"

    let isColored: Bool

    func callAsFunction(_ text: String, _ tints: Tint...) -> String {
        guard isColored, !tints.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(tints.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// Returns whether the parameters belong to a sequence that this tool writes itself.
    static func isOwn(_ parameters: String) -> Bool {
        parameters == blackOnWhite || parameters == "0" || parameters.split(separator: ";").allSatisfy { Tint(rawValue: String($0)) != nil }
    }

    /// Returns a line for each name and its value, with aligned values.
    func facts(_ facts: [(name: String, value: String)]) -> String {
        let width = facts.map(\.name.count).max() ?? 0
        return facts.map { name, value in
            self(name + String(repeating: " ", count: width - name.count), .faint) + "  " + value
        }.joined(separator: "\n")
    }
}

extension Style {
    /// Creates a style.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the stream is a terminal.
    ///   - environment: The environment; `NO_COLOR` with any value (no-color.org) and a dumb terminal disable color.
    init(_ mode: ColorMode, isTerminal: Bool, environment: [String: String]) {
        switch mode {
        case .always: isColored = true
        case .never: isColored = false
        case .auto: isColored = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}
