import Testing

@testable import ModelContextProxy

struct HostLinesTests {
    private static func lines(_ text: String, inParts size: Int) -> [String] {
        var (lines, found) = (HostLines(sizeLimit: 20), [HostLine]())
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            found += lines.accept(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        if let last = lines.end() { found.append(last) }
        return found.map {
            switch $0.content {
            case .text(let text): String(decoding: text, as: UTF8.self)
            case .tooLong(let id): "too long: \(id.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "no ID")"
            }
        }
    }

    @Test(arguments: [
        ("a\n\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("", []), ("\n", []), ("12345678901234567890\n1", ["12345678901234567890", "1"]),
        (#"{"id":7,"method":"abcdef"}"# + "\nb", ["too long: 7", "b"]), ("123456789012345678901", ["too long: no ID"]),
    ])
    func `lines are split however their bytes arrive, and MC32: one that is too long is found with its ID`(text: String, expected: [String])
    {
        for size in [1, 3, 64] { #expect(Self.lines(text, inParts: size) == expected) }
    }
}
