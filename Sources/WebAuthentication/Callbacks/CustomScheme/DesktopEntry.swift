/// The `.desktop` file that makes a program the handler of a scheme (Desktop Entry Specification 1.5).
struct DesktopEntry: Sendable, Hashable {
    let scheme: String
    /// The name that users see if a system asks which program to open.
    let name: String
    /// The program, as an absolute path, and its arguments; the URI comes last.
    let command: [String]

    /// Returns the file name, which contains the scheme so that each scheme has a separate file.
    static func fileName(scheme: String) -> String { "authhub-callback-\(scheme.lowercased()).desktop" }

    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=\(Self.escape(name))
        NoDisplay=true
        Terminal=false
        StartupNotify=false
        MimeType=x-scheme-handler/\(scheme.lowercased());
        Exec=\(command.map(Self.quote).joined(separator: " ")) %u

        """
    }

    /// Returns the command in a file that this type wrote; nil for any other file.
    static func command(in text: String) -> [String]? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Exec=") && $0.hasSuffix(" %u") }
        guard let line else { return nil }
        return words(unescape(line.dropFirst("Exec=".count).dropLast(" %u".count)))
    }

    /// Splits a line into words, as the inverse of ``quote(_:)``.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isInside = false
        var before: Unicode.Scalar?
        for scalar in line.unicodeScalars {
            switch (isInside, before, scalar) {
            case (true, "\\", _), (_, "%", "%"):
                word = (word ?? "") + String(scalar)
                before = nil
                continue
            case (true, _, "\\"), (_, _, "%"): break
            case (_, _, "\""):
                isInside.toggle()
                word = word ?? ""
            case (false, _, " "):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(scalar)
            }
            before = scalar
        }
        if let word { words.append(word) }
        return words
    }

    /// The characters with a special meaning outside of quotes (§7).
    private static let reserved = " \t\n\r\"'\\><~|&;$*?#()`"

    /// Quotes an argument if necessary: `xdg-open` before version 1.2 does not support quotes without a desktop session. Special characters
    /// are escaped, and then escaped again like any string in the file (§7).
    private static func quote(_ argument: String) -> String {
        let scalars = argument.unicodeScalars
        let needsQuotes = scalars.isEmpty || scalars.contains { reserved.unicodeScalars.contains($0) }
        var word = ""
        for scalar in scalars {
            if needsQuotes, "\"`$\\".unicodeScalars.contains(scalar) { word.append("\\") }
            if scalar == "%" { word.append("%") }
            word.unicodeScalars.append(scalar)
        }
        return needsQuotes ? escape("\"\(word)\"") : word
    }

    /// Escapes a value: one line, with backslashes doubled (§4).
    private static func escape(_ text: String) -> String {
        var escaped = ""
        // As scalars: a carriage return and a line feed are a single character.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\t": escaped += "\\t"
            case "\r": escaped += "\\r"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func unescape(_ text: some StringProtocol) -> String {
        var plain = ""
        var isEscaped = false
        for character in text {
            if isEscaped || character != "\\" { plain.append(character) }
            isEscaped = !isEscaped && character == "\\"
        }
        return plain
    }
}
