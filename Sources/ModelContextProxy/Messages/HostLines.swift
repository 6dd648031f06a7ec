/// A line that the host has written.
package struct HostLine: Sendable {
    enum Content: Sendable {
        case text([UInt8])
        /// A line that is too long, and the ID of its message if there is one.
        case tooLong(MessageID?)
    }

    let content: Content
}

/// Splits what the host writes into lines, without their ends. Empty lines are left out.
package struct HostLines: Sendable {
    /// The maximum size of a line, in bytes.
    package static let usualSizeLimit = 64 * 1024 * 1024

    private let sizeLimit: Int
    private var line: [UInt8] = []
    /// The search for the ID of a line that is too long.
    private var search: MessageIDSearch?

    package init(sizeLimit: Int = usualSizeLimit) { self.sizeLimit = sizeLimit }

    /// Accepts the next bytes, and returns the lines that are complete now.
    package mutating func accept(_ bytes: ArraySlice<UInt8>) -> [HostLine] {
        var lines: [HostLine] = []
        for (index, part) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0, let line = end() { lines.append(line) }
            if search == nil, line.count + part.count > sizeLimit {
                var begun = MessageIDSearch()
                begun.accept(line)
                (line, search) = ([], begun)
            }
            if search != nil { search?.accept(part) } else { line += part }
        }
        return lines
    }

    /// Ends the current line, and returns it; nil if it is empty.
    package mutating func end() -> HostLine? {
        defer { (line, search) = ([], nil) }
        if let search { return HostLine(content: .tooLong(search.id)) }
        return line.isEmpty ? nil : HostLine(content: .text(line))
    }
}
