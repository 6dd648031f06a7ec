import Platform
import Testing

@testable import AuthHub

struct RecordFormatTests {
    @Test func `the document lists the members of a record, and no others`() throws {
        let document = try Self.text(of: "docs/record-format.md")
        let listed = document.split(separator: "\n").compactMap { line in
            line.hasPrefix("| `") ? line.dropFirst(3).split(separator: "`").first.map(String.init) : nil
        }
        let source = try Self.text(of: "Sources/AuthHub/Credential/Credential.swift")
        let written = source.split(separator: "\n").compactMap { line -> String? in
            let words = line.drop { $0 == " " }
            guard words.hasPrefix("members[\""), words.contains("] = ") else { return nil }
            return words.dropFirst("members[\"".count).split(separator: "\"").first.map(String.init)
        }
        #expect(written.count > 10)
        #expect(Set(listed) == Set(written))
        #expect(listed.count == Set(listed).count)
    }

    private static func text(of path: String) throws -> String {
        let root = String(#filePath.split(separator: "/Tests/AuthHubTests/")[0])
        return try String(decoding: Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
    }
}
