/// Links in the text on a terminal (OSC 8). Terminals that are not known to support them could print the sequence itself.
struct Hyperlinks: Sendable {
    let areSupported: Bool

    /// The terminals with links, by the beginning of `TERM` and by the name in `TERM_PROGRAM`.
    private static let terminals = ["xterm-kitty", "alacritty", "foot", "wezterm", "xterm-ghostty", "contour", "tmux"]
    private static let programs: Set<String> = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "mintty", "Tabby", "tmux"]
    /// The first versions of the libraries of GNOME's and KDE's terminals that support links.
    private static let (firstVTE, firstKonsole) = (5000, 201_200)

    /// Creates the value.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the stream is a terminal.
    ///   - environment: The environment. `NO_COLOR` is about colors only.
    init(isTerminal: Bool, environment: [String: String]) {
        let terminal = environment["TERM"] ?? ""
        guard isTerminal, !["", "dumb", "linux"].contains(terminal) else {
            areSupported = false
            return
        }
        areSupported =
            Self.terminals.contains { terminal.hasPrefix($0) } || Self.programs.contains(environment["TERM_PROGRAM"] ?? "")
            || Self.version(environment["VTE_VERSION"]) >= Self.firstVTE
            || Self.version(environment["KONSOLE_VERSION"]) >= Self.firstKonsole || !(environment["WT_SESSION"] ?? "").isEmpty
    }

    private static func version(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }

    /// Returns a text that is safe for the terminal, with the first occurrence of a URL as a link.
    func linking(_ url: String, in text: String) -> String {
        // Other characters could end the sequence.
        guard areSupported, !url.isEmpty, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let place = text.firstRange(of: url)
        else { return text }
        return text.replacingCharacters(in: place, with: "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\")
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
