/// The HTML entities that pages with forms use.
enum HTMLEntities {
    private static let named: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// Decodes the entities in a text. Unknown entities are left as they are.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var decoded = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            let name = rest[start...].dropFirst().prefix { $0 != ";" && $0 != "&" && $0 != " " }
            if name.count <= 10, rest[name.endIndex...].first == ";", let character = character(for: name) {
                decoded += character
                rest = rest[name.endIndex...].dropFirst()
            } else {
                decoded += "&"
                rest = rest[start...].dropFirst()
            }
        }
        return decoded + rest
    }

    private static func character(for name: Substring) -> String? {
        guard name.first == "#" else { return named[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
