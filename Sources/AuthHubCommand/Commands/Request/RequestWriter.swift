import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform

/// Writes the result of a request: as it is, as JSON, or filtered; to standard output or to a file.
struct RequestWriter: Sendable {
    let console: Console
    /// Whether the status and the header fields come before the body.
    let include: Bool
    let filter: JQFilter?
    let file: OutputFile?

    private static let bodyLimit = 64 * 1024 * 1024
    /// The maximum number of values in a body that is parsed, or in all pages together. Each needs up to about 100 bytes of memory.
    static let maximumValues = 1_000_000
    private static let fieldLimit = 64 * 1024

    /// - Throws: ``Failure`` or `LoadError`.
    func write(_ result: RequestResult) async throws {
        if console.format == .text, filter == nil, result.pages == nil {
            if include { console.put(head(of: result.response)) }
            try await stream(result.response)
        } else {
            try await put(try await text(of: result))
        }
        try file?.finish()
    }

    /// Returns the whole output before it is filtered.
    private func text(of result: RequestResult) async throws -> Output {
        let pages = if let pages = result.pages { pages } else { [try await result.response.body.collect(upTo: Self.bodyLimit)] }
        guard console.format == .json || result.pages != nil else { return .bytes(pages[0]) }
        if console.format == .json, result.pages == nil { return .json(try Self.json(result.response.head, pages[0])) }
        let values = try Self.values(of: pages)
        if console.format == .json {
            let head = result.response.head
            return .json(Self.json(head, of: values.contains(nil) ? nil : Self.joined(values.compactMap { $0 }), pages))
        }
        if !values.contains(nil), !values.contains(where: { $0?.array == nil }) { return .json(Self.joined(values.compactMap { $0 })) }
        // Pages that are not arrays: one after the other, each on its own line.
        return .bytes(pages.flatMap { $0.last == UInt8(ascii: "\n") ? $0 : $0 + [UInt8(ascii: "\n")] })
    }

    private enum Output {
        case json(JSONValue)
        case bytes([UInt8])
    }

    /// Returns one array of the elements of all pages; pages that are not arrays are elements themselves.
    static func joined(_ pages: [JSONValue]) -> JSONValue { .array(pages.flatMap { $0.array ?? [$0] }) }
}

extension RequestWriter {
    /// Returns the response as JSON. A body with a JSON media type is included as JSON; one that is not text is encoded in Base64.
    static func json(_ head: HTTPResponse, _ body: [UInt8]) throws(Failure) -> JSONValue {
        let type = head.headerFields.mediaType ?? ""
        let isJSON = type.hasSuffix("/json") || type.hasSuffix("+json")
        return json(head, of: isJSON ? try values(of: [body])[0] : nil, [body])
    }

    /// Returns the parsed bodies; nil for a body that is not JSON.
    ///
    /// - Throws: ``Failure`` if they have too many values.
    private static func values(of bodies: [[UInt8]]) throws(Failure) -> [JSONValue?] {
        var (values, rest): ([JSONValue?], Int) = ([], maximumValues)
        for body in bodies {
            do throws(JSONError) {
                let value = try JSONValue(received: body, maximumValues: rest)
                rest -= value.count
                values.append(value)
            } catch .tooManyValues {
                throw Failure(
                    "server_misbehaved", .failed, "the response has more than \(maximumValues) JSON values; nothing was written",
                    hint: "leave out -o json and --paginate, or request fewer elements at once")
            } catch {
                values.append(nil)
            }
        }
        return values
    }

    private static func json(_ head: HTTPResponse, of value: JSONValue?, _ pages: [[UInt8]]) -> JSONValue {
        var object = JSONObject()
        object["status"] = .number(JSONNumber(Int64(head.status.code)))
        object["header_fields"] = .array(
            head.headerFields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
        let body = Array(pages.joined())
        if let value {
            object["body"] = value
        } else if let text = String(validating: body, as: UTF8.self) {
            object["body"] = .string(text)
        } else {
            object["body"] = .null
            object["body_base64"] = .string(Data(body).base64EncodedString())
        }
        return .object(object)
    }

    private func put(_ output: Output) async throws {
        if let filter {
            let input =
                switch output {
                case .json(let value): value.serialized()
                case .bytes(let bytes): bytes
                }
            try put(try await filter.output(for: input, console))
        } else {
            switch output {
            case .json(let value): try file.map { try $0.write(value.serialized() + [UInt8(ascii: "\n")]) } ?? console.put(value)
            case .bytes(let bytes): try put(bytes)
            }
        }
    }

    private func put(_ bytes: [UInt8]) throws {
        if let file { return try file.write(bytes) }
        guard console.columns != nil else { return console.put(bytes) }
        var text = TerminalText()
        console.put(text.take(bytes[...]) + text.finish())
    }

    /// Writes the body while it is received. On a terminal, it is escaped, and ends with a line break, so that the prompt starts on its own
    /// line. In a file or pipe, it is unchanged, except for a line break if a message follows on the same stream.
    private func stream(_ response: LoadResponse) async throws {
        var text = TerminalText()
        var lastByte = UInt8(ascii: "\n")
        for try await chunk in response.body {
            if let file {
                try file.write(Array(chunk))
                continue
            }
            let bytes = console.columns == nil ? Array(chunk) : text.take(chunk)
            console.put(bytes)
            lastByte = bytes.last ?? lastByte
            if console.dataLoss.failure != nil { break }
        }
        guard file == nil else { return }
        if console.columns != nil {
            let rest = text.finish()
            console.put(rest)
            lastByte = rest.last ?? lastByte
            if lastByte != UInt8(ascii: "\n") { console.put("") }
        } else {
            let fails = response.status.code >= 400 || RequestSender.redirects.contains(response.status.code)
            if fails, lastByte != UInt8(ascii: "\n"), console.hasOneStream { console.say("") }
        }
    }

    private func head(of response: LoadResponse) -> String {
        let fields = response.head.headerFields.map { "\($0.name.rawName): \($0.value)" }
        let lines = ["HTTP \(response.status.code) \(response.status.reasonPhrase)"] + fields + [""]
        return lines.map { displayable($0, limit: Self.fieldLimit) }.joined(separator: "\n")
    }
}

extension JSONValue {
    /// The number of values, including arrays and objects.
    fileprivate var count: Int {
        switch self {
        case .array(let values): values.reduce(1) { $0 + $1.count }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
        default: 1
        }
    }
}
