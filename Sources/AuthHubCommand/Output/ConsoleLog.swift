import AuthHubPrimitives
import Logging

/// A log handler for users that writes only the messages, to standard error.
struct ConsoleLog: LogHandler {
    private let console: Console
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    private let onlyLevel: Logger.Level?

    /// Creates a log handler.
    ///
    /// - Parameter onlyLevel: The only level to show; if nil, all levels.
    init(_ console: Console, only onlyLevel: Logger.Level? = nil) {
        self.console = console
        self.onlyLevel = onlyLevel
    }

    func log(event: LogEvent) {
        guard onlyLevel.map({ $0 == event.level }) ?? true else { return }
        console.say(console.style(displayable(event.message.description, limit: 2000), .faint))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
