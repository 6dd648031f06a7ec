import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

@testable import ModelContextProxy

/// What happens to a proxy, and what it does: each event on a line, and after it the effects that it must have, in order, each on a line that
/// begins with ">". A line that ends with "…" matches every line with the same beginning. Messages are written as ``ShortMessage``.
///
/// Events: `host MESSAGE`, `host ends`, `host is gone`; `at 5s` (a time that was waited for) and `later 5s` (one that was not);
/// `sign-in done`, `sign-in shared`, `sign-in declined` and `sign-in failed`; `others yes` and `others no`. The others begin with the number of
/// an exchange: a status with what the response has (`session=`, `by=` for the sign-in and `for=` for its resource, `withheld`, then
/// `json MESSAGE`, `sse` or a challenge); `data MESSAGE` and `bytes TEXT` of a stream; `end`, and `lost` if it breaks off.
struct ProxyStory: Sendable {
    enum Beginning: Sendable {
        case nothing
        /// A session "s" that has just been initialized; three exchanges have taken place.
        case session
        /// As `session`, and the server has responded in it: four exchanges.
        case workingSession

        fileprivate var lines: [String] {
            let session = [
                "host initialize#0", #"1 200 session=s json ok#0({"protocolVersion":"2025-11-25"})"#, "host notifications/initialized",
                "2 202", "3 405",
            ]
            return switch self {
            case .nothing: []
            case .session: session
            case .workingSession: session + ["host ping#100", "4 200 json ok#100"]
            }
        }
    }

    let description: String
    let beginning: Beginning
    let usesAccount: Bool
    let limits: ProxyMachine.Limits
    let lines: [String]

    init(
        _ description: String, in beginning: Beginning = .nothing, usesAccount: Bool = true,
        limits: ProxyMachine.Limits = ProxyMachine.Limits(), _ text: String
    ) {
        (self.description, self.beginning, self.usesAccount, self.limits) = (description, beginning, usesAccount, limits)
        lines = text.split(separator: "\n").map(String.init)
    }

    /// Plays the story.
    ///
    /// - Returns: The differences from it.
    func problems() -> [String] {
        var player = StoryPlayer(usesAccount: usesAccount, limits: limits)
        for line in beginning.lines { _ = player.play(line) }
        var (rest, problems) = (lines[...], [String]())
        while let event = rest.popFirst() {
            let effects = player.play(event)
            let expected = rest.prefix { $0.hasPrefix(">") }.map { $0.dropFirst(2) }
            rest = rest.dropFirst(expected.count)
            let isSame =
                effects.count == expected.count
                && zip(effects, expected).allSatisfy { $1.hasSuffix("…") ? $0.hasPrefix($1.dropLast()) : $0 == $1 }
            if !isSame { problems.append("\(event)\n  has the effects " + effects.joined(separator: "\n                  ")) }
        }
        return problems + player.problems
    }
}

/// Turns the lines of a story into events, and effects into lines.
private struct StoryPlayer {
    private var machine: ProxyMachine
    private var now = Duration.zero
    /// The requests of exchanges, in order.
    private var requests: [Int: [ProxyRequest.ID]] = [:]
    private var isDemanded: Set<ProxyRequest.ID> = []
    private(set) var problems: [String] = []
    private static let url = "https://mcp.example/mcp"

    init(usesAccount: Bool, limits: ProxyMachine.Limits) {
        let server = ProxyMachine.Server(url: Self.url, login: "authhub login", usesAccount: usesAccount, ownIDs: "own")
        machine = ProxyMachine(server, limits: limits)
    }

    mutating func play(_ line: String) -> [String] {
        let (word, rest) = line.cut()
        switch (word, rest) {
        case ("host", "ends"): return handle(.inputEnded)
        case ("host", "is gone"): return handle(.cancelled)
        case ("host", "writes too much#7"): return handle(.received(HostLine(content: .tooLong(MessageID(MessageText([0x37]))))))
        case ("host", _): return handle(.received(HostLine(content: .text(ShortMessage.bytes(rest)))))
        case ("at", _): return wait(rest, .time)
        case ("later", _): return wait(rest, nil)
        case ("sign-in", "done"): return handle(.signInEnded(.success(.this)))
        case ("sign-in", "shared"): return handle(.signInEnded(.success(.other)))
        case ("sign-in", _): return handle(.signInEnded(.failure(Self.signInFailure(isDeclined: rest == "declined"))))
        case ("others", _): return handle(.othersAsked(rest == "yes"))
        default: return server(word, rest, line)
        }
    }

    private static func signInFailure(isDeclined: Bool) -> ProxyFailure {
        var failure = ProxyFailure("denied", "the sign-in failed", hint: "retry")
        failure.page = isDeclined ? .declined : nil
        return failure
    }

    private mutating func wait(_ time: String, _ event: ProxyMachine.Event?) -> [String] {
        now = .seconds(Int(time.dropLast()) ?? 0)
        return event.map { handle($0) } ?? []
    }

    private mutating func server(_ number: String, _ rest: String, _ line: String) -> [String] {
        let parts = number.split(separator: ".").compactMap { Int($0) }
        guard let exchange = parts.first, let all = requests[exchange], var id = all.last else {
            problems.append("\(line)\n  is about no request")
            return []
        }
        let isOld = parts.count == 2
        if isOld { id = all[parts[1] - 1] }
        let (word, text) = rest.cut()
        switch word {
        case "data", "bytes":
            if isDemanded.remove(id) == nil, !isOld { problems.append("\(line)\n  was not demanded") }
            let bytes = word == "data" ? Array("data: ".utf8) + ShortMessage.bytes(text) + [0x0A, 0x0A] : ShortMessage.unescaped(text)
            return handle(.read(bytes[...], of: id))
        case "end": return handle(.bodyEnded(id))
        case "lost": return handle(.failed(ProxyFailure("unreachable", "the connection was lost", hint: "wait"), id))
        default: return respond(Int(word) ?? 0, text, to: id)
        }
    }

    private mutating func respond(_ status: Int, _ text: String, to id: ProxyRequest.ID) -> [String] {
        var (response, rest) = (LoadResponse(HTTPResponse(status: HTTPResponse.Status(code: status, reasonPhrase: "Text"))), text)
        var signIn: (id: String?, resource: String?)
        var body: String?
        while !rest.isEmpty {
            let (word, following) = rest.cut()
            let (name, value) = word.cut(at: "=")
            switch name {
            case "session": response.head.headerFields.set(RemoteHeaders.session, to: value)
            case "by": signIn.id = value
            case "for": signIn.resource = value
            case "withheld": response.notes.isCredentialWithheld = true
            case "sse": response.head.headerFields[.contentType] = "text/event-stream; charset=utf-8"
            case "json":
                response.head.headerFields[.contentType] = "application/json"
                body = following
            default: response.head.headerFields[.wwwAuthenticate] = rest
            }
            rest = ["session", "by", "for", "withheld"].contains(name) ? following : ""
        }
        let used = signIn.id.map { UsedSignIn(id: $0, resource: signIn.resource) }
        var effects = handle(.responded(ServerResponse(response, signIn: used), to: id))
        guard let body, isDemanded.remove(id) != nil else { return effects }
        effects += handle(.read(ShortMessage.bytes(body)[...], of: id))
        return isDemanded.remove(id) == nil ? effects : effects + handle(.bodyEnded(id))
    }

    private mutating func handle(_ event: ProxyMachine.Event) -> [String] {
        machine.handle(event, at: now).compactMap { line($0) }
    }

    private mutating func line(_ effect: ProxyMachine.Effect) -> String? {
        switch effect {
        case .send(let request):
            requests[request.id.exchange, default: []].append(request.id)
            return Self.line(request)
        case .read(let id):
            isDemanded.insert(id)
            return nil
        case .close(let id): return "close \(id.exchange)"
        case .write(let message): return "write \(ShortMessage.text(message))"
        case .warn(let text): return "warn \(text)"
        case .report(let failure): return "report \(failure.message); next: \(failure.hint)"
        case .signIn(let need): return "sign in\(Self.line(need))"
        case .askOthers(let need): return "ask others\(Self.line(need))"
        case .wait(let instant): return "wait until \(Self.seconds(instant))"
        case .finish: return "finish"
        }
    }

    private static func line(_ need: SignInNeed) -> String {
        (need.url == url ? "" : " at \(need.url)") + (need.rejected.map { " instead of \($0)" } ?? "")
            + (need.challenge.isEmpty ? "" : ": \(need.challenge)")
    }

    private static func line(_ request: ProxyRequest) -> String {
        let usual = ["POST": "application/json, text/event-stream", "GET": "text/event-stream"]
        let names = ["Mcp-Session-Id": "session", "MCP-Protocol-Version": "revision", "Last-Event-ID": "after"]
        let fields = request.fields.compactMap { field -> String? in
            if field.name == .accept, field.value == usual[request.method.rawValue] { return nil }
            if field.name == .contentType, field.value == "application/json", request.method == .post { return nil }
            return " \(names[field.name.rawName] ?? field.name.rawName)=\(field.value)"
        }
        let isComplete =
            request.fields[.accept] == usual[request.method.rawValue] && (request.fields[.contentType] != nil) == (request.method == .post)
        let missing = isComplete ? "" : " without a field"
        let message = request.body.isEmpty ? "" : " \(ShortMessage.text(request.body))"
        return "\(request.id.exchange) \(request.method) \(seconds(request.timeout))\(message)\(fields.joined())\(missing)"
    }

    private static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return Int(exactly: seconds).map { "\($0)s" } ?? "\(seconds)s"
    }
}

/// Messages as short text: `METHOD#ID(PARAMETERS)`, `METHOD(PARAMETERS)`, `ok#ID(RESULT)` and `error#ID(CODE TEXT)`; the parts in parentheses may
/// be left out, and `(modern)` are the parameters of a message of 2026-07-28. Any other text is the message itself, with `\n` for line breaks.
enum ShortMessage {
    private static let modern = #"{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#

    static func bytes(_ short: String) -> [UInt8] {
        guard let first = short.utf8.first, first.isASCIILetter else { return unescaped(short) }
        let (head, rest) = short.cut(at: "(")
        let (name, id) = head.cut(at: "#")
        let inner = rest.isEmpty ? "" : String(rest.dropLast())
        let before = id.isEmpty ? #"{"jsonrpc":"2.0""# : #"{"jsonrpc":"2.0","id":\#(id)"#
        switch name {
        case "ok": return Array("\(before),\"result\":\(inner.isEmpty ? "{}" : inner)}".utf8)
        case "error":
            let (code, text) = inner.cut()
            return Array(#"\#(before),"error":{"code":\#(code),"message":"\#(text)"}}"#.utf8)
        default:
            let parameters = inner.isEmpty ? "" : ",\"params\":\(inner == "modern" ? modern : inner)"
            return Array(#"\#(before),"method":"\#(name)"\#(parameters)}"#.utf8)
        }
    }

    static func text(_ message: [UInt8]) -> String {
        let whole = String(decoding: message, as: UTF8.self)
        guard let text = MessageText(message) else { return whole }
        func part(_ name: String) -> String? { text[name].map { String(decoding: $0.bytes, as: UTF8.self) } }
        let id = part("id").map { "#\($0)" } ?? ""
        let short: String
        if let method = text["method"]?.string {
            short = method + id + (part("params").map { $0 == modern ? "(modern)" : "(\($0))" } ?? "")
        } else if let result = part("result") {
            short = "ok\(id)" + (result == "{}" ? "" : "(\(result))")
        } else {
            short = "error\(id)(\(text["error"]?["code"]?.scalar ?? "") \(text["error"]?["message"]?.string ?? ""))"
        }
        return bytes(short) == message ? short : whole
    }

    static func unescaped(_ text: String) -> [UInt8] { Array(text.replacing(#"\n"#, with: "\n").utf8) }
}

extension String {
    /// Returns the parts before and after the first separator; the second is empty if there is none.
    fileprivate func cut(at separator: Character = " ") -> (String, String) {
        guard let place = firstIndex(of: separator) else { return (self, "") }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
