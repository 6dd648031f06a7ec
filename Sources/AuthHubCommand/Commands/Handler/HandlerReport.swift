import AuthHubPrimitives
import WebAuthentication

/// The handlers of the callbacks of some schemes.
struct HandlerReport {
    private let rows: [(scheme: String, status: CustomSchemeHandler.Status)]

    init(_ handlers: [CustomSchemeHandler]) throws(WebAuthenticationError) {
        var rows: [(scheme: String, status: CustomSchemeHandler.Status)] = []
        for handler in handlers { rows.append((handler.scheme, try handler.status())) }
        self.rows = rows
    }

    func put(on console: Console) {
        switch console.format {
        case .json: console.put(.array(rows.map { Self.json($0.scheme, $0.status) }))
        case .text where rows.isEmpty: console.say("No scheme is registered for this tool. Next: authhub handler register SCHEME")
        case .text: for row in rows { console.put("\(row.scheme): \(Self.text(row.status))") }
        }
    }

    private static func text(_ status: CustomSchemeHandler.Status) -> String {
        switch status {
        case .notRegistered: "not registered"
        case .registered(let command): "opens \(displayable(command.joined(separator: " "), limit: 1000))"
        case .claimed(let other): "handled by \(displayable(other, limit: 200))"
        case .programMissing(let program): "registered, but \(displayable(program, limit: 1000)) no longer exists"
        }
    }

    private static func json(_ scheme: String, _ status: CustomSchemeHandler.Status) -> JSONValue {
        switch status {
        case .notRegistered: ["scheme": .string(scheme), "state": "not_registered"]
        case .registered(let command):
            ["scheme": .string(scheme), "state": "registered", "command": .array(command.map(JSONValue.string))]
        case .claimed(let other): ["scheme": .string(scheme), "state": "claimed", "by": .string(other)]
        case .programMissing(let program): ["scheme": .string(scheme), "state": "program_missing", "program": .string(program)]
        }
    }
}
