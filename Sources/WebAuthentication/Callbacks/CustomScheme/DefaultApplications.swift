/// The text of `mimeapps.list` (MIME Applications Associations Specification 1.0). Only one of its lines is changed: the program that
/// opens URLs of a scheme.
struct DefaultApplications: Sendable, Hashable {
    private(set) var lines: [String]

    private static let group = "[Default Applications]"

    init(_ text: String) {
        // As scalars: a carriage return and a line feed are a single character, and no line would end there.
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        while lines.last?.isEmpty == true { lines.removeLast() }
    }

    var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

    /// Returns the `.desktop` file that opens URLs of the scheme; the first if there are several.
    func handler(of scheme: String) -> String? {
        guard let index = indices(of: scheme).first else { return nil }
        let value = lines[index].split(separator: "=", maxSplits: 1).last ?? ""
        return value.split(separator: ";").first.map { Self.trimmed($0) }
    }

    /// Sets or removes the handler, in a single line: of several lines, some readers use the first and some the last. All other lines do
    /// not change.
    mutating func setHandler(_ file: String?, of scheme: String) {
        let line = file.map { "\(Self.key(scheme))=\($0)" }
        let indices = indices(of: scheme)
        for index in indices.dropFirst().reversed() { lines.remove(at: index) }
        switch (indices.first, line) {
        case (let index?, let line?): lines[index] = line
        case (let index?, nil): lines.remove(at: index)
        case (nil, let line?):
            if let group = lines.firstIndex(where: { Self.trimmed($0) == Self.group }) {
                lines.insert(line, at: group + 1)
            } else {
                lines += (lines.isEmpty ? [] : [""]) + [Self.group, line]
            }
        case (nil, nil): break
        }
    }

    private func indices(of scheme: String) -> [Int] {
        let key = Self.key(scheme)
        var indices: [Int] = []
        var isInGroup = false
        for (index, line) in lines.enumerated() {
            let line = Self.trimmed(line)
            if line.hasPrefix("[") { isInGroup = line == Self.group }
            if isInGroup, line.split(separator: "=", maxSplits: 1).first.map({ Self.trimmed($0) }) == key { indices.append(index) }
        }
        return indices
    }

    private static func key(_ scheme: String) -> String { "x-scheme-handler/\(scheme.lowercased())" }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
    }
}
