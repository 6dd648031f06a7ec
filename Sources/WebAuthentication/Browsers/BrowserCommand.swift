/// A command that opens a page, with a placeholder for the URL.
struct BrowserCommand: Sendable, Hashable {
    /// The program and its arguments, which are never passed to a shell.
    let words: [String]

    /// The name for messages to the user, without its folder and arguments.
    var name: String { words.first?.split(separator: "/").last.map(String.init) ?? "" }

    init(words: [String]) {
        self.words = words
    }

    /// Parses a command from a setting: words separated by spaces, with quotes around words that contain spaces.
    ///
    /// - Returns: nil if the text contains no word, or an unterminated quote.
    init?(_ text: some StringProtocol) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            switch (quote, character) {
            case (.some(character), _): quote = nil
            case (.some, _): word = (word ?? "") + String(character)
            case (nil, "\""), (nil, "'"):
                quote = character
                word = word ?? ""
            case (nil, " "), (nil, "\t"):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        guard quote == nil, let first = words.first, !first.isEmpty else { return nil }
        self.words = words
    }

    /// Returns the argument list for a URL: `%s` in an argument stands for it, `%%` for a percent sign; without `%s` the URL comes last.
    func arguments(showing url: String) -> [String] {
        var isPlaced = false
        let arguments = words.dropFirst().map { word in
            word.split(separator: "%%", omittingEmptySubsequences: false).map { part in
                let pieces = part.split(separator: "%s", omittingEmptySubsequences: false)
                if pieces.count > 1 { isPlaced = true }
                return pieces.joined(separator: url)
            }.joined(separator: "%")
        }
        return words.prefix(1) + arguments + (isPlaced ? [] : [url])
    }
}
