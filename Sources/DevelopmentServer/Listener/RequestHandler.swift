import AuthHubPrimitives
import HTTPTypes
import Logging
import NIOHTTP1
import Synchronization

/// The handler that takes a request through the log, the faults and the routes.
struct RequestHandler: Sendable {
    /// The way a response is sent.
    enum Delivery: Sendable {
        case whole(Answer)
        /// The head announces the whole body, and only half of it is sent.
        case half(Answer)
        case nothing
    }

    let state: ServerState
    let routes: Routes
    let faultOrders: FaultOrders

    init(_ state: ServerState, _ faultOrders: FaultOrders) {
        self.state = state
        self.faultOrders = faultOrders
        routes = Routes(state)
    }

    func handle(_ request: IncomingRequest) async throws -> Delivery {
        let ticket = state.log.arrived(request, tokenPath: state.persona.addresses.token)
        await ClientDocumentReader(state: state).read(for: request)
        let delivery = try await deliver(request).sealed
        if case .whole(let answer) = delivery { await send(answer.forms) }
        switch delivery {
        case .whole(let answer), .half(let answer):
            state.log.answered(ticket, status: answer.status.code)
            state.configuration.logger?.info("\(request.method) \(request.path) \(answer.status.code)")
        case .nothing:
            state.configuration.logger?.info("\(request.method) \(request.path) dropped")
        }
        return delivery
    }

    /// Posts logout tokens to clients, changed by the faults.
    private func send(_ forms: [OutgoingForm]) async {
        for form in forms {
            var form = form
            switch faultOrders.queue.withLock({ $0.takeNext(at: [.logoutToken]) })?.fault {
            case .altered(let changes): AnswerChange.apply(changes, to: &form, from: state)
            case .dropConnection: continue
            default: break
            }
            let response = await LoopbackExchange(url: form.url, form: form.parameters).response()
            state.log.notified(form.clientID, status: response?.status, cacheControl: response?.headers.first(name: "Cache-Control"))
        }
    }

    private func deliver(_ request: IncomingRequest) async throws -> Delivery {
        let places = Faults.Place.all(of: request, to: state)
        let delay = places.contains(.tokenEndpoint) ? state.configuration.delays.tokenEndpoint : .zero
        if delay > .zero { try await Task.sleep(for: delay) }
        guard let next = faultOrders.queue.withLock({ $0.takeNext(at: places) }) else { return .whole(routes.answer(request)) }
        if let held = next.held {
            for await _ in held {}
            try Task.checkCancellation()
        }
        return try await deliver(request, with: next.fault)
    }

    private func deliver(_ request: IncomingRequest, with fault: Fault) async throws -> Delivery {
        switch fault {
        case .status(let code, let retryAfter):
            var answer = Answer.json([:], status: HTTPResponse.Status(code: code))
            answer.headers[.retryAfter] = retryAfter.map { String($0.components.seconds) }
            return .whole(answer)
        case .oauthError(let code): return .whole(.json(["error": .string(code)], status: .badRequest).notStored())
        case .answer(let status, let mediaType, let body, let header):
            var answer = Answer(status: HTTPResponse.Status(code: status), body: Array(body.utf8))
            answer.headers[.contentType] = mediaType
            for (name, value) in header { answer.setHeader(name, to: value) }
            return .whole(answer)
        case .echo(let status, let mediaType):
            var answer = Self.echo(of: request)
            answer.status = HTTPResponse.Status(code: status)
            if mediaType != "application/json" { answer.headers[.contentType] = mediaType }
            return .whole(answer)
        case .altered(let changes):
            var answer = routes.answer(request)
            AnswerChange.apply(changes, to: &answer, from: state)
            return .whole(answer)
        case .html: return .whole(Pages.message(title: "Welcome to this network", "Sign in to continue.").answer())
        case .dropConnection: return .nothing
        case .dropAnswer:
            _ = routes.answer(request)
            return .nothing
        case .truncated: return .half(routes.answer(request))
        case .delay(let duration):
            try await Task.sleep(for: duration)
            return .whole(routes.answer(request))
        case .hold: return .whole(routes.answer(request))
        }
    }

    /// Returns an error that repeats the whole request: as received, and with its parameters and credentials decoded.
    private static func echo(of request: IncomingRequest) -> Answer {
        let parameters = (request.form?.parameters ?? []).map { "\($0.name): \($0.value)" }
        let password = request.basicCredentials.map { "password: \($0.password)" }
        let lines =
            [request.headers[.authorization], password, String(decoding: request.body, as: UTF8.self)].compactMap { $0 } + parameters
        return .json([
            "error": "invalid_request", "error_description": .string("cannot be done: " + lines.joined(separator: ", ")),
            "error_uri": .string("https://errors.example/?" + String(decoding: request.body, as: UTF8.self)),
        ])
    }
}

extension RequestHandler.Delivery {
    /// The delivery with encrypted tokens.
    fileprivate var sealed: Self {
        switch self {
        case .whole(var answer):
            answer.seal()
            return .whole(answer)
        case .half(var answer):
            answer.seal()
            return .half(answer)
        case .nothing: return .nothing
        }
    }
}
