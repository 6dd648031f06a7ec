import AuthHubPrimitives

/// The dialogue with a browser over its DevTools pipe that shows one page and intercepts its callbacks.
///
/// A value type: messages in, actions out. It listens to the whole browser instead of single pages, so that no popup, frame or tab can be
/// faster; messages from the session of a single page are ignored.
struct DevToolsDialogue: Sendable {
    enum Action: Sendable {
        case send(DevToolsCommand)
        /// The page has been requested: from now on there is a window.
        case shown
        /// The last window or tab is closed.
        case closed
        /// Communication with this browser failed; the reason, in words for the user.
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
    private let responseMode: CallbackResponseMode
    private let headerFields: [String: String]
    private var needsHeaderFields: Bool
    private var step = Step.preparing([])
    private var pages: Set<String> = []
    private var firstPage: String?
    private var lastID: Int64 = 0

    /// The maximum number of windows and tabs that are counted.
    static let maximumPages = 1000

    /// Creates a dialogue.
    ///
    /// - Parameters:
    ///   - url: The page to show.
    ///   - address: The callbacks to intercept, if any.
    ///   - responseMode: The response mode of their responses.
    ///   - headerFields: Header fields that are only sent with the first request for the page.
    init(url: String, address: CallbackAddress?, responseMode: CallbackResponseMode = .query, headerFields: [String: String] = [:]) {
        self.url = url
        self.address = address
        self.responseMode = responseMode
        self.headerFields = headerFields
        needsHeaderFields = !headerFields.isEmpty
    }

    /// Returns the first commands, before the browser has sent anything.
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

    /// Handles a message that was too long or invalid. Once the page is shown, a page can cause that, and it is ignored.
    mutating func receivedNonsense() -> [Action] {
        guard case .preparing = step else { return [] }
        return fail("it does not speak the DevTools protocol")
    }

    /// Creates a command whose response does not matter.
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
            // In an empty tab, the address bar has the focus; the user's next key must go to the page.
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
        // Parts of the browser's own UI are targets too.
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
        let verdict = address.map { request.verdict($0, responseMode, isPage: pages.contains(request.frame)) } ?? .pass
        switch verdict {
        case .pass: return [.send(resumption(of: request))]
        case .block: return [.send(command("Fetch.failRequest", ["requestId": .string(request.id), "errorReason": "BlockedByClient"]))]
        case .refuse(let page): return [.refuse(page, request)]
        case .callback(let callback): return [.callback(callback, request)]
        }
    }

    /// Continues the request; the first one for the page gets the additional header fields.
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
