public import AuthHubPrimitives
import HTTPTypes
public import Tracing

/// Makes a span for each load, or for each sending, with the attribute names of OpenTelemetry's conventions for HTTP clients.
///
/// | Attribute | Value |
/// | --- | --- |
/// | `http.request.method` | one of the nine common methods, else `_OTHER` |
/// | `url.scheme`, `server.address`, `server.port` | those of the request's origin |
/// | `http.response.status_code` | where a response came |
/// | `http.request.resend_count` | of an attempt from the second on; hops and replays count as part of their attempt |
/// | `error.type` | a ``LoadError/Code`` with hyphens for spaces, or the status from 400 on |
///
/// The span of a load is internal to the program; the span of an attempt is a client's, and ends with the response's head. Addresses,
/// header fields, bodies and the texts of errors are never written: `url.full`, `url.path` and `url.query` may hold secrets.
///
/// The trace goes on to a server only where its origin is named: trace fields tell which requests belong together, and baggage may tell
/// more. They are written for each sending, so that no redirect carries them elsewhere, and only where the request has none of that name.
public struct TraceLoader: Loader {
    private let givenTracer: (any Tracer)?
    private let propagationOrigins: Set<Origin>
    private let eachAttempt: Bool

    /// Makes a span for each load.
    ///
    /// - Parameter tracer: Where the spans go; nil for the one the program has chosen.
    public init(tracer: (any Tracer)? = nil) {
        givenTracer = tracer
        propagationOrigins = []
        eachAttempt = false
    }

    /// Makes a span for each sending; the loader then stands in front of the transport.
    ///
    /// - Parameters:
    ///   - tracer: Where the spans go; nil for the one the program has chosen.
    ///   - origins: Servers that get the trace's fields, such as `traceparent`.
    public static func eachAttempt(tracer: (any Tracer)? = nil, propagatingTo origins: Set<Origin> = []) -> TraceLoader {
        TraceLoader(tracer: tracer, propagationOrigins: origins, eachAttempt: true)
    }

    private init(tracer: (any Tracer)?, propagationOrigins: Set<Origin>, eachAttempt: Bool) {
        givenTracer = tracer
        self.propagationOrigins = propagationOrigins
        self.eachAttempt = eachAttempt
    }

    public var place: LoaderPlace? { eachAttempt ? .observeAttempts : .observe }

    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let tracer: any Tracer = givenTracer ?? InstrumentationSystem.tracer
        return try await load(request, next: next, tracer: tracer).get()
    }

    private func load(_ request: LoadRequest, next: Next, tracer: some Tracer) async -> Result<LoadResponse, LoadError> {
        // Not by withSpan: it hands the error with all its causes to the tracer.
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
