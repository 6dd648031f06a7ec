@testable import AuthHubCommand
import Testing

struct TableTests {
    private func table() -> Table {
        var table = Table(columns: [
            .init(title: "NAME"), .init(title: "ABOUT", minimumWidth: 6), .init(title: "STARS", isRightAligned: true), .init(title: "END"),
        ])
        table.rows = [["a", "a long description", "7", "x"], ["bcd", "日本", "1200", ""]]
        return table
    }

    @Test func `aligns columns by their width in terminals, without trailing spaces`() {
        #expect(
            table().rendered(Style(isColored: false), width: nil) == """
                NAME  ABOUT               STARS  END
                a     a long description      7  x
                bcd   日本                 1200
                """)
    }

    @Test func `the flexible column shrinks in a narrow terminal, down to its minimum`() {
        #expect(table().rendered(Style(isColored: false), width: 30).split(separator: "\n")[1] == "a     a long desc…      7  x")
        #expect(table().rendered(Style(isColored: false), width: 5).split(separator: "\n")[1] == "a     a lon…      7  x")
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab cd", 4, "ab…"), ("日本語", 5, "日本…"), ("ab", 1, "…"), ("ab", 0, "")])
    func `truncates text to columns, with an ellipsis`(text: String, width: Int, cut: String) {
        #expect(text.cut(toWidth: width) == cut)
    }

    @Test(arguments: [
        ("https://login.example", 21, "https://login.example"), ("https://login.example", 20, "login.example"),
        ("https://login.example/tenant-a", 16, "login.e…tenant-a"), ("https://login.example/tenant-b", 16, "login.e…tenant-b"),
        ("abcdef", 3, "a…f"), ("abcdef", 2, "a…"), ("abcdef", 0, ""), ("日本語日本語", 7, "日本…語"),
    ])
    func `the URL of a server loses its scheme first, and then its middle`(text: String, width: Int, cut: String) {
        #expect(text.cutInside(toWidth: width) == cut)
    }

    @Test func `a narrow table of accounts still tells two tenants of a server apart`() {
        var table = Table(columns: [.init(title: "SERVER", minimumWidth: 16, keepsEnd: true), .init(title: "CLIENT")])
        table.rows = [["https://login.example/tenant-a", "native-app"], ["https://login.example/tenant-b", "native-app"]]
        let lines = table.rendered(Style(isColored: false), width: 28).split(separator: "\n")
        #expect(lines.dropFirst() == ["login.e…tenant-a  native-app", "login.e…tenant-b  native-app"])
    }

    @Test(arguments: [
        (0.0, "0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (7169, "119 min"), (7170, "2 h"), (27_000, "7 h 30 min"),
        (28_799, "8 h"), (31_535_999, "365 days"), (172_800, "2 days"),
        (-5, "0 s"),
    ])
    func `formats a duration in the unit that people would use`(seconds: Double, words: String) {
        #expect(Words.duration(seconds) == words)
    }

    struct ColorRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mode: ColorMode
        let isTerminal: Bool
        var environment: [String: String] = [:]
        let isColored: Bool
    }

    @Test(arguments: [
        ColorRow(testDescription: "terminal", mode: .auto, isTerminal: true, isColored: true),
        ColorRow(testDescription: "pipe", mode: .auto, isTerminal: false, isColored: false),
        ColorRow(testDescription: "NO_COLOR", mode: .auto, isTerminal: true, environment: ["NO_COLOR": "1"], isColored: false),
        ColorRow(testDescription: "empty NO_COLOR", mode: .auto, isTerminal: true, environment: ["NO_COLOR": ""], isColored: true),
        ColorRow(testDescription: "dumb terminal", mode: .auto, isTerminal: true, environment: ["TERM": "dumb"], isColored: false),
        ColorRow(testDescription: "never", mode: .never, isTerminal: true, isColored: false),
        ColorRow(
            testDescription: "always, despite NO_COLOR", mode: .always, isTerminal: false, environment: ["NO_COLOR": "1"], isColored: true),
    ])
    func `colour follows the option, then NO_COLOR, then the terminal`(row: ColorRow) {
        #expect(Style(row.mode, isTerminal: row.isTerminal, environment: row.environment).isColored == row.isColored)
    }
}
