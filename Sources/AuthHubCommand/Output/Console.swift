import AuthHubPrimitives
import Logging
import Platform

/// The standard streams: only data is written to standard output; all messages for the user are written to standard error.
struct Console: Sendable {
    let format: OutputFormat
    /// The style of standard output.
    let dataStyle: Style
    /// The style of standard error.
    let style: Style
    /// Whether a user can read messages and respond to them.
    var isInteractive: Bool
    /// The width of the terminal on standard output, in columns; nil if it is not a terminal.
    let columns: Int?
    /// Whether the locale supports characters beyond ASCII.
    private let isUnicode: Bool
    private let hyperlinks: Hyperlinks
    let dataLoss = DataLoss()

    /// The logger for session events that the user should know, in addition to the result; nil unless the format is text.
    @TaskLocal static var notices: Logger?

    init(_ options: OutputOptions) {
        let environment = ProcessInfo.processInfo.environment
        let showsData = isatty(STDOUT_FILENO) == 1
        let showsNotes = isatty(STDERR_FILENO) == 1
        format = options.format
        dataStyle = Style(options.color, isTerminal: showsData, environment: environment)
        style = Style(options.color, isTerminal: showsNotes, environment: environment)
        isInteractive = showsNotes
        isUnicode = TerminalRoom.isUnicode(environment)
        hyperlinks = Hyperlinks(isTerminal: showsNotes, environment: environment)
        columns = showsData ? Self.terminalColumns() : nil
    }

    /// The logger that shows messages of sessions with the level `notice`.
    var noticeLogger: Logger? { format == .text ? Logger(label: "authhub") { _ in ConsoleLog(self, only: .notice) } : nil }

    /// Writes data as text. On a terminal, everything that could control it is escaped, except the colors of ``dataStyle``.
    func put(_ text: String) {
        put(Array(((columns == nil ? text : TerminalText.shown(plain(text))) + "\n").utf8))
    }

    /// Writes data unchanged.
    func put(_ bytes: some Collection<UInt8>) {
        dataLoss.note(StandardStreams.write(Array(bytes), to: STDOUT_FILENO))
    }

    /// Writes JSON: indented for humans, on one line for programs.
    func put(_ json: JSONValue) {
        put(String(decoding: json.serialized(indented: columns != nil), as: UTF8.self))
    }

    /// Writes a message for the user. Everything that could control the terminal is escaped, except the colors of ``style``.
    ///
    /// - Parameter url: A URL in the text, which becomes a link if the terminal supports that.
    func say(_ text: String, linking url: String? = nil) {
        var shown = TerminalText.shown(plain(text))
        if let url { shown = hyperlinks.linking(url, in: shown) }
        _ = StandardStreams.write(Array((shown + "\n").utf8), to: STDERR_FILENO)
    }

    /// Returns a text for users with quotation marks that the locale supports. JSON stays as it is.
    private func plain(_ text: String) -> String { isUnicode || format == .json ? text : TerminalText.plain(text) }

    func warn(_ text: String) {
        say("\(style("warning:", .yellow, .bold)) \(text)")
    }

    /// Whether data and messages are written to the same pipe or file.
    var hasOneStream: Bool {
        var (data, messages) = (stat(), stat())
        return fstat(STDOUT_FILENO, &data) == 0 && fstat(STDERR_FILENO, &messages) == 0 && data.st_dev == messages.st_dev
            && data.st_ino == messages.st_ino
    }

    /// Reports that this command waits for another process that is writing to the store.
    ///
    /// - Parameter process: The ID of that process; nil if it is unknown.
    func tellWait(for process: Int32?) {
        guard format == .text else { return }
        say("Waiting for \(process.map { "process \($0)" } ?? "another process"), which is writing to the store. Ctrl-C cancels.")
    }

    func report(_ failure: Failure) {
        guard format == .text else { return say(String(decoding: failure.json.serialized(), as: UTF8.self)) }
        say("\(style("authhub:", .red, .bold)) \(failure.message)")
        if !failure.hint.isEmpty { say("  \(style("next:", .cyan)) \(failure.hint)") }
    }

    /// Reports a failure to the user of another program, among that program's messages.
    func reportOnOneLine(_ failure: Failure) {
        guard format == .text else { return report(failure) }
        say("\(style("authhub:", .red, .bold)) \(failure.message); \(style("next:", .cyan)) \(failure.hint)")
    }
}

extension Console {
    private static func terminalColumns() -> Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
