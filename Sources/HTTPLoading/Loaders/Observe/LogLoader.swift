import AuthHubPrimitives
public import HTTPTypes
public import Logging

/// Writes one line for each load, or for each sending: what was asked of whom, what came of it, and how long that took up to the
/// response's head.
///
/// | Key | Value |
/// | --- | --- |
/// | `request` | the request's id, the same in all lines of one load |
/// | `method`, `origin`, `path` | what was asked; the path only with `showsPaths` |
/// | `status` or `error` | what came of it; an error's line is a warning |
/// | `milliseconds` | up to the response's head, with `waiting-milliseconds` and `pausing-milliseconds` where there were any |
/// | `attempts`, `replays`, `redirects`, `shared-from` | of a load; a line for each sending has `attempt`, its number |
/// | `request-header.NAME`, `response-header.NAME` | fields on the list |
///
/// Nothing that could be secret is written unless it is named here: no paths, queries, bodies and causes of errors, and header fields
/// only where they are on the list of those that hold no secret.
public struct LogLoader: Loader {
    private let logger: Logger
    private let level: Logger.Level
    private let headerFields: [HTTPField.Name]
    private let showsPaths: Bool
    private let eachAttempt: Bool

    /// - Parameters:
    ///   - logger: Where the lines go.
    ///   - level: For loads that ended in a response, whatever its status; those that ended in an error are warnings.
    ///   - headerFields: Names of the header fields whose values may be written.
    ///   - showsPaths: Whether paths may be written, without their queries. Some servers take secrets in them.
    ///   - eachAttempt: Writes a line for each sending instead; the loader then stands in front of the transport.
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

    /// Fields that help to understand an exchange and hold no secret.
    public static let harmlessFields: [HTTPField.Name] =
        [.accept, .contentLength, .contentType, .date, .retryAfter, .server]
        + ["X-GitHub-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].compactMap { HTTPField.Name($0) }

    public var place: LoaderPlace? { eachAttempt ? .observeAttempts : .observe }

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
            logger.warning("not loaded", metadata: line)
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
    /// What the loaders behind did, where they did something.
    fileprivate mutating func add(_ notes: ResponseNotes) {
        self["attempts"] = "\(notes.attempts)"
        self["replays"] = "\(notes.replays)"
        self["redirects"] = "\(notes.redirects.count)"
        self["shared-from"] = notes.sharedFrom.map { "\($0)" }
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
    /// Nothing of a path that could not be sent: it might hold line breaks.
    fileprivate var pathWithoutQuery: Substring {
        guard let path, let target = RequestTarget(path) else { return path == nil ? "/" : "<malformed>" }
        return target.path.prefix { $0 != "?" }
    }
}
