@testable import AuthHubCommand
import Testing

struct HyperlinksTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isTerminal = true
        let environment: [String: String]
        let areSupported: Bool
    }

    @Test(arguments: [
        Row(testDescription: "kitty", environment: ["TERM": "xterm-kitty"], areSupported: true),
        Row(testDescription: "tmux", environment: ["TERM": "screen-256color", "TERM_PROGRAM": "tmux"], areSupported: true),
        Row(testDescription: "GNOME's terminal", environment: ["TERM": "xterm-256color", "VTE_VERSION": "7200"], areSupported: true),
        Row(testDescription: "an old one", environment: ["TERM": "xterm-256color", "VTE_VERSION": "4900"], areSupported: false),
        Row(testDescription: "KDE's terminal", environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "230400"], areSupported: true),
        Row(testDescription: "Windows' terminal", environment: ["TERM": "xterm-256color", "WT_SESSION": "x"], areSupported: true),
        Row(
            testDescription: "NO_COLOR, which is about colors only", environment: ["TERM": "foot", "NO_COLOR": "1"], areSupported: true),
        Row(testDescription: "a dumb terminal", environment: ["TERM": "dumb", "VTE_VERSION": "7200"], areSupported: false),
        Row(testDescription: "the console of Linux", environment: ["TERM": "linux", "VTE_VERSION": "7200"], areSupported: false),
        Row(testDescription: "an unknown terminal", environment: ["TERM": "xterm-256color"], areSupported: false),
        Row(testDescription: "no TERM", environment: ["VTE_VERSION": "7200"], areSupported: false),
        Row(testDescription: "a pipe", isTerminal: false, environment: ["TERM": "xterm-kitty"], areSupported: false),
    ])
    func `links are written only to terminals that are known to support them`(row: Row) {
        let links = Hyperlinks(isTerminal: row.isTerminal, environment: row.environment)
        #expect(links.areSupported == row.areSupported)
        let text = "Open https://as.example/a?b=c now"
        let link = "\u{1B}]8;;https://as.example/a?b=c\u{1B}\\https://as.example/a?b=c\u{1B}]8;;\u{1B}\\"
        #expect(links.linking("https://as.example/a?b=c", in: text) == (row.areSupported ? "Open \(link) now" : text))
    }

    @Test(arguments: ["https://as.example/\u{1B}]0;x", "https://as.example/é", "https://other.example", "", "https://as.example/a b"])
    func `a URL with other characters, or that is not in the text, is no link`(url: String) {
        let text = "Open \(url == "https://other.example" ? "nothing" : url)"
        #expect(Hyperlinks(isTerminal: true, environment: ["TERM": "foot"]).linking(url, in: text) == text)
    }
}
