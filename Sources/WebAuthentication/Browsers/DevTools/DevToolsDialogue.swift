import AuthHubPrimitives

/// What is said to a browser over its DevTools pipe to show one page in it and to meet its callbacks, and what its answers mean.
///
/// A value: a message in, what to do next out. It listens to the whole browser, not to pages one by one, so that no popup, frame or tab
/// can be quicker; what a session of a single page says is not listened to at all.
struct DevToolsDialogue: Sendable {
    enum Action: Sendable {
        case send(DevToolsCommand)
        /// The page has been asked for: from here on there is a window.
        case shown
        /// The last window or tab is gone.
        case closed
        /// This browser cannot be talked to; why, in words for the person.
        case failed(String)
        case callback(CallbackURL, PausedRequest)
        case refuse(ResultPage, PausedRequest)
    }

    private enum Step: Hashable {
        case preparing(Set<Int64>)
        case attaching(Int64)
        case navigating(Int64)
        case ended
    }

    private let url: String
    private let address: CallbackAddress?
    private let carrier: CallbackCarrier
    private let headerFields: [String: String]
    private var needsHeaderFields: Bool
    private var step = Step.preparing([])
    private var pages: Set<String> = []
    private var firstPage: String?
    private var lastID: Int64 = 0

    /// More windows and tabs than these are not counted.
    static let maximumPages = 1000

    /// - Parameters:
    ///   - url: The page to show.
    ///   - address: The callbacks to meet, if any.
    ///   - carrier: What carries their answers.
    ///   - headerFields: Sent with the first request for the page alone.
    init(url: String, address: CallbackAddress?, carrier: CallbackCarrier = .query, headerFields: [String: String] = [:]) {
        self.url = url
        self.address = address
        self.carrier = carrier
        self.headerFields = headerFields
        needsHeaderFields = !headerFields.isEmpty
    }

    /// The first commands, before the browser has said anything.
    mutating func begin() -> [Action] {
        var patterns: [JSONValue] = []
        if let address { patterns.append(["urlPattern": .string(address.devToolsPattern)]) }
        if needsHeaderFields { patterns.append(["urlPattern": "*", "resourceType": "Document"]) }
        var commands = [command("Target.setDiscoverTargets", ["discover": true, "filter": [["type": "page"]]])]
        if !patterns.isEmpty { commands.append(command("Fetch.enable", ["patterns": .array(patterns)])) }
        step = .preparing(Set(commands.map(\.id)))
        return commands.map { .send($0) }
    }

    mutating func received(_ message: DevToolsMessage) -> [Action] {
        switch message {
        case _ where step == .ended: []
        case .answer(let id, let result): answered(id, result)
        case .event("Target.targetCreated", let parameters, nil): created(parameters["targetInfo"])
        case .event("Target.targetDestroyed", let parameters, nil): destroyed(parameters["targetId"]?.string)
        case .event("Fetch.requestPaused", let parameters, nil): PausedRequest(parameters).map { paused($0) } ?? []
        case .event: []
        }
    }

    /// A message was too long or no message. Once the page is shown that can be a page's doing, and is passed over.
    mutating func receivedNonsense() -> [Action] {
        guard case .preparing = step else { return [] }
        return fail("it does not speak the DevTools protocol")
    }

    /// A command whose answer tells nothing that matters.
    mutating func command(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) -> DevToolsCommand {
        lastID += 1
        return DevToolsCommand(id: lastID, method: method, parameters: parameters, session: session)
    }
}

extension DevToolsDialogue {
    private mutating func answered(_ id: Int64, _ result: JSONValue?) -> [Action] {
        switch step {
        case .preparing(var awaited) where awaited.remove(id) != nil:
            guard result != nil else { return fail("it cannot intercept requests; install a newer Chromium") }
            step = .preparing(awaited)
            return attachIfReady()
        case .attaching(id):
            guard let session = result?["sessionId"]?.string else { return fail("its window cannot be controlled") }
            let navigate = command("Page.navigate", ["url": .string(url)], session: session)
            step = .navigating(navigate.id)
            // An empty tab has the cursor in its address bar; the person's next key is for the page.
            return [.send(navigate), .shown, .send(command("Page.bringToFront", session: session))]
        case .navigating(id) where result == nil:
            return fail("it did not show the page")
        default:
            return []
        }
    }

    private mutating func attachIfReady() -> [Action] {
        guard case .preparing([]) = step, let firstPage else { return [] }
        let attach = command("Target.attachToTarget", ["targetId": .string(firstPage), "flatten": true])
        step = .attaching(attach.id)
        return [.send(attach)]
    }

    private mutating func fail(_ reason: String) -> [Action] {
        step = .ended
        return [.failed(reason)]
    }

    private mutating func created(_ target: JSONValue?) -> [Action] {
        guard let id = target?["targetId"]?.string, target?["type"]?.string == "page", let url = target?["url"]?.string else { return [] }
        // Parts of the browser's own surface are targets too.
        guard !(url.hasPrefix("chrome://") && url.contains(".top-chrome/")), pages.count < Self.maximumPages else { return [] }
        pages.insert(id)
        if firstPage == nil, url == "about:blank" || url.isEmpty { firstPage = id }
        return attachIfReady()
    }

    private mutating func destroyed(_ id: String?) -> [Action] {
        guard let id, pages.remove(id) != nil, pages.isEmpty else { return [] }
        step = .ended
        return [.closed]
    }

    private mutating func paused(_ request: PausedRequest) -> [Action] {
        let verdict = address.map { request.verdict($0, carrier, isPage: pages.contains(request.frame)) } ?? .pass
        switch verdict {
        case .pass: return [.send(resumption(of: request))]
        case .block: return [.send(command("Fetch.failRequest", ["requestId": .string(request.id), "errorReason": "BlockedByClient"]))]
        case .refuse(let page): return [.refuse(page, request)]
        case .callback(let callback): return [.callback(callback, request)]
        }
    }

    /// Lets the request go on; the first one for the page gets the additional header fields.
    private mutating func resumption(of request: PausedRequest) -> DevToolsCommand {
        guard needsHeaderFields, request.isDocument, !request.isRedirected, request.frame == firstPage, request.method == "GET",
            let origin = Origin(url: request.url), origin == Origin(url: url)
        else {
            return command("Fetch.continueRequest", ["requestId": .string(request.id)])
        }
        needsHeaderFields = false
        let names = Set(headerFields.keys.map { $0.lowercased() })
        var fields: [JSONValue] = request.headerFields.members.compactMap { field in
            field.value.string.flatMap { names.contains(field.name.lowercased()) ? nil : Self.field(field.name, $0) }
        }
        fields += headerFields.sorted { $0.key < $1.key }.map { Self.field($0, $1) }
        return command("Fetch.continueRequest", ["requestId": .string(request.id), "headers": .array(fields)])
    }

    private static func field(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }
}
