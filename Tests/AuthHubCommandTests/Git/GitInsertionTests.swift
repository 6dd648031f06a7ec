import AuthHubPrimitives
import Testing

@testable import AuthHubCommand

struct GitInsertionTests {
    private static let lines = "\thelper = \n\thelper = /bin/authhub helper git\n"
    private static let section = "[credential \"https://h.example\"]\n" + lines

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        /// The user's change of the file in between.
        let edit: @Sendable (String) -> String
        /// The expected content; nil if the lines cannot be found.
        let restored: String?

        init(
            _ testDescription: String, _ before: String, _ after: String, edit: @escaping @Sendable (String) -> String = { $0 },
            restored: String?
        ) {
            self.testDescription = testDescription
            self.before = before
            self.after = after
            self.edit = edit
            self.restored = restored
        }
    }

    private static let user = "[user]\n\tname = x\n"
    private static let open = "[user]\n\tname = x"

    static let rows: [Row] = [
        Row("an empty file", "", section, restored: ""),
        Row("a new section", user, user + section, restored: user),
        Row("a file without a line break at its end", open, open + "\n" + section, restored: open),
        Row(
            "lines in a section that was there", "[credential \"https://h.example\"]\n\thelper = x\n[core]\n",
            "[credential \"https://h.example\"]\n\thelper = x\n\(lines)[core]\n",
            restored: "[credential \"https://h.example\"]\n\thelper = x\n[core]\n"),
        Row(
            "a section that was empty", "[credential \"https://h.example\"]\n", section, restored: "[credential \"https://h.example\"]\n"),
        Row(
            "lines before an entry that begins like them", "[credential]\n\thelp = x\n", "[credential]\n\(lines)\thelp = x\n",
            restored: "[credential]\n\thelp = x\n"),
        Row(
            "the user has added a section", user, user + section, edit: { $0 + "[core]\n\tpager = less\n" },
            restored: user + "[core]\n\tpager = less\n"),
        Row(
            "the user has added a section to a file without a line break", open, open + "\n" + section, edit: { $0 + "[core]\n" },
            restored: open + "\n[core]\n"),
        Row(
            "the user has added an entry to the new section", user, user + section, edit: { $0 + "\tusername = mona\n" },
            restored: user + "[credential \"https://h.example\"]\n\tusername = mona\n"),
        Row(
            "the user has changed a line above", user, user + section, edit: { $0.replacing("name = x", with: "name = y") },
            restored: user.replacing("name = x", with: "name = y")),
        Row(
            "the section is another server's, which may have the same lines", user, user + section,
            edit: { $0.replacing("h.example", with: "other.example") }, restored: nil),
        Row("the user has changed the lines", user, user + section, edit: { $0.replacing("helper git", with: "x") }, restored: nil),
        Row("the user has removed the lines", user, user + section, edit: { _ in user }, restored: nil),
    ]

    @Test(arguments: rows)
    func `removes exactly what was inserted`(row: Row) throws {
        let insertion = try #require(GitInsertion(file: "f", from: Array(row.before.utf8), to: Array(row.after.utf8)))
        let rest = insertion.removed(from: Array(row.edit(row.after).utf8))
        #expect(rest.map { String(decoding: $0, as: UTF8.self) } == row.restored)
        #expect(GitInsertion(json: insertion.json) == insertion)
    }

    @Test(arguments: [
        ("with a header", "\n[credential \"https://h.example\"]\n\thelper = \n\thelper = x\n", true),
        ("without a header", "\thelper = \n\thelper = x\n", true),
        ("with a line of another program", "\thelper = \n\thelper = x\n[user]\n\temail = m@example.com\n", false),
        ("with an entry of another program", "\thelper = \n\thelper = x\n\tusername = m\n", false),
    ])
    func `only two values for a helper are an insertion of this tool`(description: String, text: String, isOwn: Bool) {
        #expect(GitInsertion(file: "f", createdFile: false, text: Array(text.utf8)).hasOnlyHelpers == isOwn)
    }

    @Test(arguments: [("a", "a"), ("ab", "a"), ("ab", "xb1"), ("", "")])
    func `anything else is not an insertion`(before: String, after: String) {
        #expect(GitInsertion(file: "f", from: Array(before.utf8), to: Array(after.utf8)) == nil)
    }

    @Test func `restores every content, wherever the text was inserted`() throws {
        let content = Array("[a]\n\tb = c\n\n[d]\n# e\n\tb = c".utf8)
        let starts = content.indices.filter { $0 == 0 || content[$0 - 1] == UInt8(ascii: "\n") }
        for start in starts {
            let after = Array(content[..<start]) + Array(Self.lines.utf8) + content[start...]
            let insertion = try #require(GitInsertion(file: "f", from: content, to: after))
            #expect(insertion.removed(from: after) == content)
        }
    }
}
