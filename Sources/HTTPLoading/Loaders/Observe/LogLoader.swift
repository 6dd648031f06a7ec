import AuthHubPrimitives
public import HTTPTypes
public import Logging

/// A loader that writes one log line for each request, or for each attempt: what was requested from which server, the result, and the time
/// until the head of the response.
///
/// | Key | Value |
/// | --- | --- |
/// | `request` | the ID of the request, which is the same in all its lines |
/// | `method`, `origin`, `path` | what was requested; the path only with `showsPaths` |
/// | `status` or `error` | the result; errors are logged as warnings |
/// | `milliseconds` | the time until the head of the response |
/// | `waiting-milliseconds`, `pausing-milliseconds` | the time spent waiting for permits and rate limits, and between attempts |
/// | `attempts`, `replays`, `redirects`, `shared-from` | only for whole requests; a line for an attempt contains its number in `attempt` |
/// | `credential` | `withheld` if the request was sent without the chain's credential because its origin is not allowed to receive it |
/// | `request-header.NAME`, `response-header.NAME` | the values of the header fields in `headerFields` |
///
/// Unless you allow it in the initializer, the loader writes nothing that could be secret. It never writes queries, bodies or causes of
/// errors; it writes paths only with `showsPaths`, and only the header fields in `headerFields`.
public struct LogLoader: Loader {
    private let logger: Logger
    private let level: Logger.Level
    private let headerFields: [HTTPField.Name]
    private let showsPaths: Bool
    private let eachAttempt: Bool

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - logger: The logger to write to.
    ///   - level: The level of requests that ended with a response, whatever its status. Errors are warnings, except for cancelled
    ///     requests.
    ///   - headerFields: The names of the header fields whose values may be written.
    ///   - showsPaths: Whether paths may be written, without their queries. Some servers expect secrets in paths.
    ///   - eachAttempt: Whether to write a line for each attempt, instead of one for each request. The loader's position is then right before
    ///     the transport.
    public init(
        _ logger: Logger,
        level: Logger.Level = .info,
        headerFields: [HTTPField.Name] = LogLoader.harmlessFields,
        showsPaths: Bool = false,
        eachAttempt: Bool = false
    ) {
        self.logger = logger
        self.level = level
        self.headerFields = headerFields
        self.showsPaths = showsPaths
        self.eachAttempt = eachAttempt
    }

    /// Header fields that are useful in logs and contain no secrets.
    public static let harmlessFields: [HTTPField.Name] =
        [.accept, .contentLength, .contentType, .date, .retryAfter, .server]
        + ["X-GitHub-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].compactMap { HTTPField.Name($0) }

    /// The position of the loader: ``LoaderPosition/observeAttempts`` if it logs each attempt, otherwise ``LoaderPosition/observe``.
    public var position: LoaderPosition? { eachAttempt ? .observeAttempts : .observe }

    /// Sends the request, and writes a line about the result unless the logger's level excludes it.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard logger.logLevel <= max(level, .warning) else { return try await next(request) }
        return try await logged(request, next: next)
    }

    private func logged(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let (result, duration) = await next.timedOutcome(of: request)
        var line = line(for: request)
        line["milliseconds"] = "\(duration / .milliseconds(1))"
        if eachAttempt { line["attempt"] = "\(next.attempt)" }
        switch result {
        case .success(let response):
            add(response, to: &line)
            logger.log(level: level, "loaded", metadata: line)
            return response
        case .failure(let error):
            line["error"] = "\(error.code)"
            // A cancelled request is not a problem: its caller gave up on purpose.
            logger.log(level: error.code == .cancelled ? level : .warning, "not loaded", metadata: line)
            throw error
        }
    }

    private func line(for request: LoadRequest) -> Logger.Metadata {
        var line: Logger.Metadata = ["request": "\(request.id)", "method": "\(request.head.method.rawValue)"]
        line["origin"] = Origin(request.head).map { "\($0)" }
        if showsPaths { line["path"] = "\(request.head.pathWithoutQuery)" }
        line.add(request.head.headerFields, harmless: headerFields, as: "request-header")
        return line
    }

    private func add(_ response: LoadResponse, to line: inout Logger.Metadata) {
        line["status"] = "\(response.status.code)"
        if !eachAttempt { line.add(response.notes) }
        line.add(response.head.headerFields, harmless: headerFields, as: "response-header")
    }
}

extension Logger.Metadata {
    /// Adds what the loaders after this one did, if anything.
    fileprivate mutating func add(_ notes: ResponseNotes) {
        self["attempts"] = "\(notes.attempts)"
        self["replays"] = "\(notes.replays)"
        self["redirects"] = "\(notes.redirects.count)"
        self["shared-from"] = notes.sharedFrom.map { "\($0)" }
        if notes.isCredentialWithheld { self["credential"] = "withheld" }
        if notes.timings.waiting > .zero { self["waiting-milliseconds"] = "\(notes.timings.waiting / .milliseconds(1))" }
        if notes.timings.pausing > .zero { self["pausing-milliseconds"] = "\(notes.timings.pausing / .milliseconds(1))" }
    }

    fileprivate mutating func add(_ fields: HTTPFields, harmless names: [HTTPField.Name], as key: String) {
        for name in names {
            guard let value = fields[name] else { continue }
            self["\(key).\(name.canonicalName)"] = "\(value)"
        }
    }
}

extension HTTPRequest {
    /// The path without its query; empty for a path that could not be sent, because it might contain line breaks.
    fileprivate var pathWithoutQuery: Substring {
        guard let path, let target = RequestTarget(path) else { return path == nil ? "/" : "<malformed>" }
        return target.path.prefix { $0 != "?" }
    }
}
