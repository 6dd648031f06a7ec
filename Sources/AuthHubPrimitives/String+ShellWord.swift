extension String {
    /// The text as one word for a POSIX shell, quoted if necessary (POSIX.1-2017, XCU §2.2).
    package var shellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0.isPlainInShell }
        if isPlain { return self }
        // By scalars: a quotation mark with a combining character is one `Character`, and the shell sees the quotation mark.
        return unicodeScalars.reduce(into: "'") { $1 == "'" ? $0 += #"'\''"# : $0.unicodeScalars.append($1) } + "'"
    }
}

extension UInt8 {
    fileprivate var isPlainInShell: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_./:,@%+=".utf8.contains(self)
        }
    }
}
