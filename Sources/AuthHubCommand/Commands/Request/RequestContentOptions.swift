import ArgumentParser
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

/// The options for what a request sends. One of them determines the body and its media type.
struct RequestContentOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The body: the text itself, @FILE, or - for standard input. Its type is recognized: JSON, form parameters, text or other bytes.",
            valueName: "data|@file|-"))
    var data: String?

    @Option(
        help: ArgumentHelp("A JSON body, which is checked: the text itself, @FILE, or - for standard input.", valueName: "text|@file|-"))
    var json: String?

    @Option(
        name: [.customShort("f"), .long],
        help: ArgumentHelp(
            "A string member of a JSON body. With the method GET or HEAD, a query parameter; with -F, a part of the form. May be repeated.",
            valueName: "name=value"))
    var field: [String] = []

    @Option(
        name: [.customShort("F"), .long],
        help: ArgumentHelp(
            "A part of a multipart form: a file, standard input (@-), or text. May be repeated.", valueName: "name=@file|value"))
    var form: [String] = []

    static let bodyLimit = 64 * 1024 * 1024

    func validate() throws {
        let ways = [("-d", data != nil), ("--json", json != nil), ("-f and -F", !(field + form).isEmpty)].filter(\.1).map(\.0)
        guard ways.count < 2 else { throw ValidationError("\(ways.joined(separator: " and ")) cannot be used together.") }
        let inputs = [data, json].compactMap { $0 }.count { ["-", "@-"].contains($0) } + form.count { $0.hasSuffix("=@-") }
        guard inputs < 2 else { throw ValidationError("Only one value can be standard input.") }
        for text in field + form where (text.firstIndex(of: "=") ?? text.startIndex) == text.startIndex {
            throw ValidationError("A field must be NAME=VALUE, as in -f title=Hello.")
        }
    }

    /// Whether no option sets a query or a body.
    var isEmpty: Bool { data == nil && json == nil && field.isEmpty && form.isEmpty }
}

/// The query and the body of a request.
struct RequestContent: Sendable {
    var query: FormParameters = [:]
    var body = RequestBody.empty
    var isJSON = false
}

extension RequestContentOptions {
    /// Returns the content.
    ///
    /// - Parameter mediaType: The media type that the user chose, in lower case and without parameters; nil if the body determines it.
    /// - Throws: ``Failure`` if a file cannot be read, or the content does not fit the method or the media type.
    func content(for method: HTTPRequest.Method, mediaType: String?) throws(Failure) -> RequestContent {
        if let data {
            let bytes = try Self.bytes(data)
            return RequestContent(body: .bytes(bytes, contentType: Self.mediaType(of: bytes)))
        }
        if let json {
            let bytes = try Self.bytes(json)
            do {
                _ = try JSONValue(strict: bytes)
            } catch {
                throw .usage(
                    "the body of --json is not JSON: \(error)",
                    hint: #"use --json '{"NAME": "VALUE"}' or --json @FILE; to send other text, replace --json with -d"#)
            }
            return RequestContent(body: .bytes(bytes, contentType: "application/json"), isJSON: true)
        }
        guard form.isEmpty else {
            guard mediaType == nil else {
                throw .usage(
                    "-F sends a multipart form, which has its own Content-Type",
                    hint: "leave out -H Content-Type; for another type of form, replace -F with -f")
            }
            return RequestContent(body: .multipart(try parts()))
        }
        guard !field.isEmpty else { return RequestContent() }
        let fields = FormParameters(field.map { Self.halves($0) }.map { .init(name: $0.name, value: $0.value) })
        if [.get, .head].contains(method) { return RequestContent(query: fields) }
        if mediaType == Self.formType { return RequestContent(body: .form(fields)) }
        return RequestContent(body: .json(try Self.object(fields)), isJSON: true)
    }

    private static let formType = "application/x-www-form-urlencoded"

    private static func object(_ fields: FormParameters) throws(Failure) -> JSONValue {
        var object = JSONObject()
        for field in fields.parameters {
            guard object[field.name] == nil else {
                throw .usage(
                    "the field “\(displayable(field.name, limit: 60))” occurs twice, which JSON does not allow",
                    hint: "add -H 'Content-Type: \(formType)' to send a form; for an array, replace -f with --json")
            }
            object[field.name] = .string(field.value)
        }
        return .object(object)
    }

    private func parts() throws(Failure) -> [MultipartPart] {
        var parts = field.map { Self.halves($0) }.map { MultipartPart(named: $0.name, text: $0.value) }
        for (name, value) in form.map({ Self.halves($0) }) {
            guard value.hasPrefix("@") else {
                parts.append(MultipartPart(named: name, text: value))
                continue
            }
            let path = String(value.dropFirst())
            let bytes = try InputFile.contents(of: path, limit: Self.bodyLimit)
            parts.append(
                MultipartPart(
                    named: name, filename: path.split(separator: "/").last.map(String.init) ?? path,
                    body: .bytes(bytes, contentType: "application/octet-stream")))
        }
        return parts
    }

    private static func halves(_ text: String) -> (name: String, value: String) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(halves[0]), halves.dropFirst().first.map(String.init) ?? "")
    }

    private static func bytes(_ text: String) throws(Failure) -> [UInt8] {
        if text == "-" { return try InputFile.contents(of: "-", limit: bodyLimit) }
        return text.hasPrefix("@") ? try InputFile.contents(of: String(text.dropFirst()), limit: bodyLimit) : Array(text.utf8)
    }

    /// Returns the media type that bytes look like.
    static func mediaType(of bytes: [UInt8]) -> String {
        if (try? JSONValue(strict: bytes)) != nil { return "application/json" }
        guard let text = String(validating: bytes, as: UTF8.self) else { return "application/octet-stream" }
        let isForm = text.contains("=") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") }
        return isForm ? formType : "text/plain; charset=utf-8"
    }
}
