import AuthHubPrimitives
import HTTPTypes
import Platform

/// The header fields that repeat parts of a message since the revision 2026-07-28, so that proxies need not read the body.
enum RemoteHeaders {
    static let revision = HTTPField.Name("MCP-Protocol-Version")
    static let session = HTTPField.Name("Mcp-Session-Id")
    static let lastEvent = HTTPField.Name("Last-Event-ID")

    /// - Parameter parameters: The parameters of tools that their servers want repeated.
    static func fields(for message: RemoteMessage, _ parameters: ToolParameters) -> [(name: String, value: String)] {
        guard let method = message.method else { return [] }
        var fields = [("Mcp-Method", encoded(method))]
        let target = message.parameters?["name"]?.string ?? message.parameters?["uri"]?.string
        if ["tools/call", "resources/read", "prompts/get"].contains(method), let target { fields.append(("Mcp-Name", encoded(target))) }
        if method == "tools/call", let target, let arguments = message.parameters?["arguments"] {
            for (name, value) in parameters.values(of: target, in: arguments) { fields.append(("Mcp-Param-\(name)", encoded(value))) }
        }
        return fields.map { (name: $0.0, value: $0.1) }
    }

    /// Returns a value that cannot break the header.
    static func encoded(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.first != " " && text.last != " " && !text.isEmpty
            && !(text.hasPrefix("=?base64?") && text.hasSuffix("?="))
        return isPlain ? text : "=?base64?\(Data(text.utf8).base64EncodedString())?="
    }
}

extension HTTPFields {
    /// Sets a field; nil removes it.
    mutating func set(_ name: HTTPField.Name?, to value: String?) {
        if let name { self[name] = value }
    }
}
