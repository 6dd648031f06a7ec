import AuthHubPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parameters of tools that are repeated in header fields (`x-mcp-header`), by tool.
struct ToolParameters: Sendable {
    private struct Parameter: Sendable {
        let path: [String]
        let name: String
    }

    private var tools: [String: [Parameter]] = [:]

    /// Reads the response to `tools/list`.
    ///
    /// - Returns: The response without the tools whose header fields cannot be sent, and the names of these tools; nil if there are none.
    mutating func accept(_ response: [UInt8]) -> (response: [UInt8], rejected: [String])? {
        guard var members = (try? JSONValue(strict: response))?.object, var result = members["result"]?.object,
            let listed = result["tools"]?.array
        else { return nil }
        var (kept, rejected): ([JSONValue], [String]) = ([], [])
        for tool in listed {
            let name = tool["name"]?.string ?? ""
            if let parameters = Self.parameters(of: tool["inputSchema"]) {
                tools[name] = parameters
                kept.append(tool)
            } else {
                tools[name] = nil
                rejected.append(name)
            }
        }
        guard !rejected.isEmpty else { return nil }
        result["tools"] = .array(kept)
        members["result"] = .object(result)
        return (JSONValue.object(members).serialized(), rejected)
    }

    /// Returns the names and values to repeat for a call. A missing value is not repeated.
    func values(of tool: String, in arguments: JSONValue) -> [(String, String)] {
        (tools[tool] ?? []).compactMap { parameter in
            var value: JSONValue? = arguments
            for name in parameter.path { value = value?[name] }
            return value.flatMap(Self.text).map { (parameter.name, $0) }
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.int64.map(String.init)
        default: nil
        }
    }

    /// - Returns: nil if an annotation breaks a rule.
    private static func parameters(of schema: JSONValue?) -> [Parameter]? {
        var found: [Parameter] = []
        guard let schema else { return found }
        guard collect(schema, path: [], isReachable: true, into: &found) else { return nil }
        let names = found.map { $0.name.lowercased() }
        return Set(names).count == names.count ? found : nil
    }

    private static func collect(_ schema: JSONValue, path: [String], isReachable: Bool, into found: inout [Parameter]) -> Bool {
        if let array = schema.array { return array.allSatisfy { collect($0, path: path, isReachable: false, into: &found) } }
        guard let object = schema.object else { return true }
        if let annotation = object["x-mcp-header"] {
            guard isReachable, !path.isEmpty, let name = annotation.string, HTTPField.Name(name) != nil,
                ["string", "integer", "boolean"].contains(object["type"]?.string ?? "")
            else { return false }
            found.append(Parameter(path: path, name: name))
        }
        for member in object.members where member.name != "x-mcp-header" {
            if member.name == "properties", let properties = member.value.object {
                for property in properties.members
                where !collect(property.value, path: path + [property.name], isReachable: isReachable, into: &found) { return false }
            } else if !collect(member.value, path: path, isReachable: false, into: &found) {
                return false
            }
        }
        return true
    }
}
