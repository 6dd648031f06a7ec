import AuthHubPrimitives
public import HTTPTypes
public import Logging

/// Writes one line for each load: what was asked of whom, what came of it, and how long that took up to the response's head.
///
/// Queries, bodies and the causes of errors are never written, and header fields only where they are on the list of those that hold no
/// secret.
public struct LogLoader: Loader {
    private let logger: Logger
    private let level: Logger.Level
    private let headerFields: [HTTPField.Name]
    public let place: LoaderPlace?

    /// - Parameters:
    ///   - logger: Where the lines go.
    ///   - level: For loads that ended in a response, whatever its status; those that ended in an error are warnings.
    ///   - headerFields: Names of the header fields whose values may be written.
    ///   - eachAttempt: Writes a line for each sending instead; the loader then stands in front of the transport.
    public init(
        _ logger: Logger,
        level: Logger.Level = .info,
        headerFields: [HTTPField.Name] = LogLoader.harmlessFields,
        eachAttempt: Bool = false
    ) {
        self.logger = logger
        self.level = level
        self.headerFields = headerFields
        place = eachAttempt ? .observeAttempts : .observe
    }

    /// Fields that help to understand an exchange and hold no secret.
    public static let harmlessFields: [HTTPField.Name] =
        [.accept, .contentLength, .contentType, .date, .retryAfter, .server]
        + ["X-GitHub-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].compactMap { HTTPField.Name($0) }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard logger.logLevel <= max(level, .warning) else { return try await next(request) }
        return try await logged(request, next: next)
    }

    private func logged(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let (result, duration) = await timed(next.clock) { () async throws(LoadError) in try await next(request) }
        var line = Logger.Metadata(request, harmless: headerFields)
        line["milliseconds"] = "\(duration / .milliseconds(1))"
        switch result {
        case .success(let response):
            line.add(response, harmless: headerFields)
            logger.log(level: level, "loaded", metadata: line)
            return response
        case .failure(let error):
            line["error"] = "\(error.code)"
            logger.warning("not loaded", metadata: line)
            throw error
        }
    }

    private func timed(
        _ clock: LoadClock, _ load: () async throws(LoadError) -> LoadResponse
    ) async -> (Result<LoadResponse, LoadError>, Duration) {
        let start = clock.now
        do throws(LoadError) {
            let response = try await load()
            return (.success(response), clock.now - start)
        } catch {
            return (.failure(error), clock.now - start)
        }
    }
}

extension Logger.Metadata {
    fileprivate init(_ request: LoadRequest, harmless names: [HTTPField.Name]) {
        self = ["request": "\(request.id)", "method": "\(request.head.method.rawValue)"]
        self["origin"] = Origin(request.head).map { "\($0)" }
        self["path"] = "\(request.head.pathWithoutQuery)"
        add(request.head.headerFields, harmless: names, as: "request-header")
    }

    fileprivate mutating func add(_ response: LoadResponse, harmless names: [HTTPField.Name]) {
        self["status"] = "\(response.status.code)"
        self["replays"] = "\(response.notes.replays)"
        self["redirects"] = "\(response.notes.redirects.count)"
        add(response.head.headerFields, harmless: names, as: "response-header")
    }

    private mutating func add(_ fields: HTTPFields, harmless names: [HTTPField.Name], as key: String) {
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
