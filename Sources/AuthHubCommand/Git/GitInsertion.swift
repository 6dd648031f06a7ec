import AuthHubPrimitives

/// Text that was inserted into a configuration file of git, so that exactly this text can be removed again.
struct GitInsertion: Sendable, Equatable {
    let file: String
    /// Whether the file did not exist before.
    let createdFile: Bool
    let text: [UInt8]

    private static let lineBreak = UInt8(ascii: "\n")

    init(file: String, createdFile: Bool, text: [UInt8]) {
        self.file = file
        self.createdFile = createdFile
        self.text = text
    }

    /// Creates the insertion that leads from one content to another; nil if anything else was changed.
    ///
    /// - Parameter before: The content before; nil if there was no file.
    init?(file: String, from before: [UInt8]?, to after: [UInt8]) {
        let old = before ?? []
        let count = after.count - old.count
        guard count > 0 else { return nil }
        var start = zip(old, after).prefix { $0 == $1 }.count
        guard old[start...].elementsEqual(after[(start + count)...]) else { return nil }
        // The same change, but in whole lines: the inserted text may begin like the text after it.
        while start > 0, after[start - 1] == after[start + count - 1], after[start - 1] != Self.lineBreak { start -= 1 }
        self.init(file: file, createdFile: before == nil, text: Array(after[start..<start + count]))
    }

    /// Returns the content without the insertion; nil if it does not contain the inserted lines unchanged.
    ///
    /// Everything else stays. If the user has added more to the inserted section, the section's header stays, too.
    func removed(from content: [UInt8]) -> [UInt8]? {
        for text in [text, withoutHeader] {
            guard let start = Self.lastPlace(of: text, in: content), text == self.text || isInItsSection(content[..<start]) else {
                continue
            }
            let rest = content[(start + text.count)...]
            var removed = text[...]
            // The line break before the section belongs to the line before it, unless that line is the last one.
            if removed.first == Self.lineBreak, !rest.isEmpty { removed = removed.dropFirst() }
            let continues = Self.continuesSection(rest)
            if continues, removed.count > withoutHeader.count { removed = withoutHeader[...] }
            return Array(content[..<(start + text.count - removed.count)]) + rest
        }
        return nil
    }

    /// Whether the last of the inserted lines is still there. It may be the same for several servers.
    func isPresent(in content: [UInt8]) -> Bool {
        Self.lines(of: text[...]).last.map(Self.lines(of: content).contains) ?? false
    }

    /// Whether the text contains nothing but two values for a helper and the header of their section.
    var hasOnlyHelpers: Bool {
        let entries = Self.lines(of: text[...]).filter { $0 != header && !$0.isEmpty }
        return entries.count == 2 && entries.allSatisfy { String(decoding: $0, as: UTF8.self).hasPrefix("\thelper =") }
    }

    private func isInItsSection(_ before: ArraySlice<UInt8>) -> Bool {
        Self.lines(of: before).last { $0.first == UInt8(ascii: "[") } == header
    }

    /// The inserted header of the section; nil if the section was there before.
    private var header: ArraySlice<UInt8>? { Self.lines(of: text[...]).first { $0.first == UInt8(ascii: "[") } }

    private static func lines(of content: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        Array(content).split(separator: lineBreak)
    }

    /// The inserted lines without the section's header, if it was inserted, too.
    private var withoutHeader: [UInt8] {
        let lines = text.first == Self.lineBreak ? text.dropFirst() : text[...]
        guard lines.first == UInt8(ascii: "["), let end = lines.firstIndex(of: Self.lineBreak) else { return Array(lines) }
        return Array(lines[(end + 1)...])
    }

    /// Whether the text after an entry continues its section with more entries or comments.
    private static func continuesSection(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first { !$0.isBlank }.map { $0 != UInt8(ascii: "[") } ?? false
    }

    private static func lastPlace(of text: [UInt8], in content: [UInt8]) -> Int? {
        guard !text.isEmpty, text.count <= content.count else { return nil }
        return (0...content.count - text.count).last { start in
            (start == 0 || text.first == lineBreak || content[start - 1] == lineBreak)
                && content[start..<start + text.count].elementsEqual(text)
        }
    }
}

extension GitInsertion {
    var json: JSONValue {
        ["file": .string(file), "created_file": .bool(createdFile), "text": .string(String(decoding: text, as: UTF8.self))]
    }

    init?(json: JSONValue) {
        guard let file = json["file"]?.string, let createdFile = json["created_file"]?.bool, let text = json["text"]?.string
        else { return nil }
        self.init(file: file, createdFile: createdFile, text: Array(text.utf8))
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { " \t\r\n".utf8.contains(self) }
}
