import AuthHubPrimitives
import HTTPTypes
import Platform

/// The parameters of tools that are repeated in header fields (`x-mcp-header`), by tool.
struct ToolParameters: Sendable {
    /// A name as bytes: two spellings of a letter are different names.
    private typealias Name = [UInt8]

    private struct Parameter: Sendable {
        let path: [Name]
        let name: String
    }

    private var tools: [String: [Parameter]] = [:]

    /// Reads the response to `tools/list`.
    ///
    /// - Returns: The response without the tools whose header fields cannot be sent, and the names of these tools; nil if there are none.
    mutating func accept(_ response: [UInt8]) -> (response: [UInt8], rejected: [String])? {
        guard let text = MessageText(response), let listed = text["result"]?["tools"], let elements = listed.elements() else { return nil }
        var (kept, rejected): ([ArraySlice<UInt8>], [String]) = ([], [])
        for tool in elements {
            let name = tool["name"]?.string ?? ""
            if let parameters = Self.parameters(of: tool["inputSchema"]) {
                tools[name] = parameters
                kept.append(tool.bytes)
            } else {
                tools[name] = nil
                rejected.append(name)
            }
        }
        guard !rejected.isEmpty else { return nil }
        let list = [UInt8(ascii: "[")] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        let (all, place) = (text.bytes, listed.bytes)
        return (Array(all[..<place.startIndex]) + list + all[place.endIndex...], rejected)
    }

    /// Returns the names and values to repeat for a call. A missing value is not repeated.
    func values(of tool: String, in arguments: MessageText) -> [(String, String)] {
        // Each object is read once: servers choose how many parameters there are.
        var objects: [[Name]: [Name: MessageText]] = [[]: Self.members(of: arguments)]
        func members(at path: ArraySlice<Name>) -> [Name: MessageText] {
            guard let name = path.last else { return objects[[]] ?? [:] }
            if let known = objects[Array(path)] { return known }
            let found = members(at: path.dropLast())[name].map(Self.members) ?? [:]
            objects[Array(path)] = found
            return found
        }
        return (tools[tool] ?? []).compactMap { parameter in
            guard let name = parameter.path.last, let value = members(at: parameter.path.dropLast())[name] else { return nil }
            return Self.text(value).map { (parameter.name, $0) }
        }
    }

    /// Returns the members of an object; of repeated ones, the last.
    private static func members(of object: MessageText) -> [Name: MessageText] {
        Dictionary(object.members.map { (Name($0.name.utf8), $0.value) }) { _, last in last }
    }

    private static func text(_ value: MessageText) -> String? {
        if let text = value.string { return text }
        return switch value.value {
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.int64.map(String.init)
        default: nil
        }
    }

    private static let depthLimit = 64

    /// - Returns: nil if an annotation breaks a rule.
    private static func parameters(of schema: MessageText?) -> [Parameter]? {
        var found: [Parameter] = []
        guard let schema else { return found }
        var reader = MessageReader(schema.bytes)
        guard collect(&reader, path: [], isReachable: true, into: &found) else { return nil }
        let names = found.map { $0.name.lowercased() }
        return Set(names).count == names.count ? found : nil
    }

    /// Reads a schema or a part of one, once: servers choose how deep it is.
    private static func collect(
        _ reader: inout MessageReader, path: [Name], depth: Int = 0, isReachable: Bool, into found: inout [Parameter]
    ) -> Bool {
        guard depth < depthLimit else { return false }
        let depth = depth + 1
        switch reader.next {
        case UInt8(ascii: "["):
            return reader.readElements { collect(&$0, path: path, depth: depth, isReachable: false, into: &found) }
        case UInt8(ascii: "{"): break
        default: return reader.readValue() != nil
        }
        var (annotation, type): (MessageText?, MessageText?)
        let isRead = reader.readMembers { reader, name in
            switch (name, reader.next) {
            case ("x-mcp-header", _):
                annotation = reader.readValue().map(MessageText.init(value:))
                return annotation != nil
            case ("type", UInt8(ascii: "\"")):
                type = reader.readValue().map(MessageText.init(value:))
                return type != nil
            case ("properties", UInt8(ascii: "{")):
                return reader.readMembers { reader, property in
                    collect(&reader, path: path + [Name(property.utf8)], depth: depth, isReachable: isReachable, into: &found)
                }
            default:
                // The last of repeated members counts.
                if name == "type" { type = nil }
                return collect(&reader, path: path, depth: depth, isReachable: false, into: &found)
            }
        }
        guard isRead, let annotation else { return isRead }
        guard isReachable, !path.isEmpty, let name = annotation.string, HTTPField.Name(name) != nil,
            ["string", "integer", "boolean"].contains(type?.string ?? "")
        else { return false }
        found.append(Parameter(path: path, name: name))
        return true
    }
}
