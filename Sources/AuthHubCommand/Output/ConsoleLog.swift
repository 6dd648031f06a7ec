import AuthHubPrimitives
import Logging

/// Lines of a log for a person who watches: the message alone, on standard error.
struct ConsoleLog: LogHandler {
    private let console: Console
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ console: Console) {
        self.console = console
    }

    func log(event: LogEvent) {
        console.say(console.style(displayable(event.message.description, limit: 2000), .faint))
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
