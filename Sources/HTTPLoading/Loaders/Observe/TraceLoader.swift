public import AuthHubPrimitives
import HTTPTypes
public import Tracing

/// A loader that creates a span for each request, or for each attempt, with the attribute names of OpenTelemetry's conventions for HTTP
/// clients.
///
/// | Attribute | Value |
/// | --- | --- |
/// | `http.request.method` | one of the nine common methods, or `_OTHER` |
/// | `url.scheme`, `server.address`, `server.port` | those of the request's origin |
/// | `http.response.status_code` | the status, if there is a response |
/// | `http.request.resend_count` | for attempts after the first; hops and replays count as part of their attempt |
/// | `error.type` | a ``LoadError/Code`` with hyphens instead of spaces, or the status if it is 400 or above |
///
/// The span of a whole request is of kind internal. The span of an attempt is of kind client, and ends with the head of the response. URLs,
/// header fields, bodies and error messages are never recorded: `url.full`, `url.path` and `url.query` may contain secrets.
///
/// The trace is propagated to a server only if you name its origin, because trace fields reveal which requests belong together, and baggage
/// may reveal more. The loader adds these fields to each attempt, so that no redirect carries them elsewhere, and only if the request does
/// not have a field with that name.
public struct TraceLoader: Loader {
    private let givenTracer: (any Tracer)?
    private let propagationOrigins: Set<Origin>
    private let eachAttempt: Bool

    /// Creates a loader that records a span for each whole request.
    ///
    /// - Parameter tracer: The tracer; if nil, the program's global tracer (`InstrumentationSystem.tracer`).
    public init(tracer: (any Tracer)? = nil) {
        givenTracer = tracer
        propagationOrigins = []
        eachAttempt = false
    }

    /// Creates a loader that records a span for each attempt. Its position is right before the transport.
    ///
    /// - Parameters:
    ///   - tracer: The tracer; if nil, the program's global tracer (`InstrumentationSystem.tracer`).
    ///   - origins: The servers that receive the trace fields, such as `traceparent`.
    public static func eachAttempt(tracer: (any Tracer)? = nil, propagatingTo origins: Set<Origin> = []) -> TraceLoader {
        TraceLoader(tracer: tracer, propagationOrigins: origins, eachAttempt: true)
    }

    private init(tracer: (any Tracer)?, propagationOrigins: Set<Origin>, eachAttempt: Bool) {
        givenTracer = tracer
        self.propagationOrigins = propagationOrigins
        self.eachAttempt = eachAttempt
    }

    /// The position of the loader: ``LoaderPosition/observeAttempts`` if it traces each attempt, otherwise ``LoaderPosition/observe``.
    public var position: LoaderPosition? { eachAttempt ? .observeAttempts : .observe }

    /// Sends the request within a span, with trace fields if its origin may receive them.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let tracer: any Tracer = givenTracer ?? InstrumentationSystem.tracer
        return try await load(request, next: next, tracer: tracer).get()
    }

    private func load(_ request: LoadRequest, next: Next, tracer: some Tracer) async -> Result<LoadResponse, LoadError> {
        // Not withSpan, because it would pass the error with all its causes to the tracer.
        let span = tracer.startSpan(request.head.method.wellKnownName ?? "HTTP", ofKind: eachAttempt ? .client : .internal)
        defer { span.end() }
        let origin = Origin(request.head)
        describe(request, to: origin, attempt: next.attempt, in: span)
        var traced = request
        if let origin, propagationOrigins.contains(origin) {
            var fields = HTTPFields()
            tracer.inject(span.context, into: &fields, using: FieldInjector())
            traced.head.headerFields.fill(from: fields)
        }
        let result = await InstrumentationContext.withValue(span.context) { await next.outcome(of: traced) }
        describe(result, in: span)
        return result
    }

    private func describe(_ request: LoadRequest, to origin: Origin?, attempt: Int, in span: some Span) {
        span.updateAttributes { attributes in
            attributes["http.request.method"] = request.head.method.wellKnownName ?? "_OTHER"
            if eachAttempt, attempt > 1 { attributes["http.request.resend_count"] = attempt - 1 }
            guard let origin else { return }
            attributes["url.scheme"] = origin.scheme
            attributes["server.address"] = origin.host
            attributes["server.port"] = origin.port
        }
    }

    private func describe(_ result: Result<LoadResponse, LoadError>, in span: some Span) {
        switch result {
        case .success(let response):
            let code = response.status.code
            span.updateAttributes { $0["http.response.status_code"] = code }
            if code >= 400 { fail(span, as: "\(code)") }
        case .failure(let error):
            fail(span, as: error.code.description)
        }
    }

    private func fail(_ span: some Span, as type: String) {
        span.updateAttributes { $0["error.type"] = type }
        span.setStatus(SpanStatus(code: .error))
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
