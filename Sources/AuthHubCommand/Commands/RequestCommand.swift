import ArgumentParser
import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct RequestCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Send a request with the access token and print the response body.",
        discussion: """
            The token is only sent to the provider's own servers; --send-token-to adds others. An expired token is refreshed first, and \
            after a 401 response the token is refreshed and the request retried once. If the response status is 400 or above, the exit \
            status is 1.

            On a terminal, control characters in the body are written as \\u001b and the like. A file or a pipe gets the body \
            unchanged. -o json writes one object: the status, the header fields and the body.

            Examples:
              authhub request GET https://api.github.com/user
              authhub request POST https://api.github.com/gists -d @gist.json
            """)

    @Argument(
        help: "The HTTP method: GET, POST, PUT, PATCH, DELETE or any other.", completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    var method: String

    @Argument(
        help: "An absolute https URL; http only on this machine, if the account's sign-in allowed it or with --allow-insecure-loopback.")
    var url: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The request body: the text itself, @FILE, or - for standard input.", valueName: "data|@file|-"))
    var data: String?

    @Option(
        name: [.customShort("H"), .long],
        help: ArgumentHelp(
            "A header field other than those set from the URL, the body and the account; may be repeated.", valueName: "name: value"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another origin that gets the token and can use it, without a path: https://api.example.com.", valueName: "origin"))
    var sendTokenTo: [String] = []

    @OptionGroup var loopback: LoopbackOptions

    @Flag(name: .shortAndLong, help: "Print the response's status and header fields before its body.")
    var include = false

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    private static let bodyLimit = 64 * 1024 * 1024
    private static let fieldLimit = 64 * 1024

    func perform(_ console: Console) async throws(Failure) {
        let request = try request()
        let origins = try origins()
        let account = try await SignedInAccount.open(account, tokenOrigins: origins)
        try checkLoopback(request, account.settings)
        let foreignOrigin = try await originWithoutToken(request, account, origins)
        if let foreignOrigin {
            console.warn(
                "the token is not sent to \(foreignOrigin), which is not one of the provider's servers; \(sendToken(to: foreignOrigin)) sends it there"
            )
        }
        let response: LoadResponse
        do {
            response = try await account.session.load(request)
            try await put(response, on: console)
        } catch {
            throw await account.failure(error)
        }
        // The origin that responded, if a redirect led there and the token was withheld from it.
        let redirected = response.notes.isCredentialWithheld ? response.notes.redirects.last : nil
        if let redirected, redirected != foreignOrigin {
            console.warn(
                "the request was redirected to \(redirected) without the token; \(sendToken(to: redirected)) sends the token there"
            )
        }
        let withheld = redirected ?? (response.notes.isCredentialWithheld ? foreignOrigin : nil)
        if let failure = failure(response, account, withoutToken: withheld) { throw failure.without(account.session.redaction) }
    }
}

extension RequestCommand {
    /// Returns the failure for an unsuccessful response; nil if the status counts as success, such as 304.
    private func failure(_ response: LoadResponse, _ account: SignedInAccount, withoutToken foreignOrigin: Origin?) -> Failure? {
        let status = response.status
        let code = "http_\(status.code)"
        let showsFields = "run the same command with -i to see the response's header fields"
        if Self.redirects.contains(status.code) {
            let places = response.head.headerFields[values: .location]
            let place =
                places.count == 1
                ? "to “\(displayable(places[0], limit: 200))”, which is not an http or https URL" : "without exactly one Location field"
            return Failure(code, .failed, "the server redirects (\(status.code)) \(place)", hint: showsFields)
        }
        guard status.code >= 400 else { return nil }
        let sending = foreignOrigin.map { "add \(sendToken(to: $0)) only if you trust that server, which gets the token and can use it" }
        return Failure(
            code, .failed, "the server responded \(status.code) \(status.reasonPhrase)",
            hint: status.code == 401 ? sending ?? account.login : showsFields)
    }

    /// Redirects that were not followed (RFC 9110 §15.4).
    private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

    private func put(_ response: LoadResponse, on console: Console) async throws(LoadError) {
        if console.format == .json {
            let bytes = try await response.body.collect(upTo: Self.bodyLimit)
            console.put(Self.json(response.head, bytes))
            return
        }
        if include { console.put(head(of: response)) }
        if console.columns == nil {
            try await write(response, to: console)
        } else {
            try await show(response.body, on: console)
        }
    }

    /// Returns the response as JSON. A body with a JSON media type is included as JSON; one that is not text is encoded in Base64.
    static func json(_ head: HTTPResponse, _ body: [UInt8]) -> JSONValue {
        var object = JSONObject()
        object["status"] = .number(JSONNumber(Int64(head.status.code)))
        object["header_fields"] = .array(
            head.headerFields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } ?? ""
        let isJSON = type.hasSuffix("/json") || type.hasSuffix("+json")
        if isJSON, let value = try? JSONValue(strict: body) {
            object["body"] = value
        } else if let text = String(validating: body, as: UTF8.self) {
            object["body"] = .string(text)
        } else {
            object["body"] = .null
            object["body_base64"] = .string(Data(body).base64EncodedString())
        }
        return .object(object)
    }

    private func request() throws(Failure) -> LoadRequest {
        guard let method = HTTPRequest.Method(method.uppercased()) else {
            throw .usage("“\(displayable(method, limit: 30))” is not an HTTP method", hint: "authhub request GET URL")
        }
        guard let target = RequestTarget(url), target.scheme != nil else {
            throw .usage("the URL is not an absolute http or https URL", hint: "authhub request \(method.rawValue) https://HOST/PATH")
        }
        guard target.scheme == "https" || Origin(url: url)?.isLoopback ?? false else {
            throw .usage(
                "an http URL is only allowed for a server on this machine; anyone on the network could read and change the request",
                hint: "authhub request \(method.rawValue) \("https\(url.dropFirst(4))".shellWord)")
        }
        var fields: HTTPFields = [:]
        for field in header {
            let halves = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = HTTPField.Name(String(halves[0])),
                HTTPField.isValidValue(String(halves[1].drop { $0 == " " }))
            else { throw .usage("the header field is not NAME: VALUE", hint: "use -H 'Accept: application/json'") }
            try check(name)
            fields.append(HTTPField(name: name, value: String(halves[1].drop { $0 == " " })))
        }
        return LoadRequest(method, target, headers: fields, body: try body(isTyped: fields[.contentType] != nil))
    }

    /// Checks the use of http on this machine.
    ///
    /// - Throws: ``Failure`` if neither the command nor the account's sign-in requested it.
    func checkLoopback(_ request: LoadRequest, _ settings: AccountSettings) throws(Failure) {
        guard request.head.scheme == "http", !loopback.allowInsecureLoopback, !settings.allowsInsecureLoopback else { return }
        throw .usage("the URL is http", hint: "add --allow-insecure-loopback, for development on this machine")
    }

    /// Checks the name of a header field.
    ///
    /// - Throws: ``Failure`` if the URL, the body or the account determines the field: it would be dropped, or replace the token.
    private func check(_ name: HTTPField.Name) throws(Failure) {
        switch name {
        case .authorization:
            throw .usage(
                "-H Authorization would replace the account's token",
                hint: "leave it out, or use --as NAME for the token of another account")
        case Self.hostField: throw .usage("the Host field is set from the URL", hint: "leave it out and put the host into the URL")
        case .contentLength, .transferEncoding:
            throw .usage("\(name.rawName) is set from the body", hint: "leave it out and give the body with -d")
        default: break
        }
    }

    private static let hostField = HTTPField.Name("Host")

    /// Returns the body. A JSON body without a media type gets one.
    private func body(isTyped: Bool) throws(Failure) -> RequestBody {
        guard let data else { return .empty }
        let bytes: [UInt8]
        switch data {
        case "-": bytes = try InputFile.contents(of: "-", limit: Self.bodyLimit)
        case let text where text.hasPrefix("@"): bytes = try InputFile.contents(of: String(text.dropFirst()), limit: Self.bodyLimit)
        default: bytes = Array(data.utf8)
        }
        let isJSON = !isTyped && (try? JSONValue(strict: bytes)) != nil
        return .bytes(bytes, contentType: isJSON ? "application/json" : nil)
    }

    private func origins() throws(Failure) -> Set<Origin> {
        var origins: Set<Origin> = []
        for text in sendTokenTo {
            guard let origin = Origin(url: text), origin.scheme == "https" || origin.isLoopback else {
                throw .usage("--send-token-to needs an https origin", hint: "use --send-token-to https://api.example.com")
            }
            guard RequestTarget(text)?.path == "/" else {
                throw .usage(
                    "--send-token-to needs an origin without a path; a path would not limit who sees the token",
                    hint: "use \(sendToken(to: origin))")
            }
            origins.insert(origin)
        }
        return origins
    }

    private func sendToken(to origin: Origin) -> String { "--send-token-to \(origin)" }

    /// Returns the origin of the request if the token is not sent to it; nil if it is.
    private func originWithoutToken(
        _ request: LoadRequest, _ account: SignedInAccount, _ origins: Set<Origin>
    ) async throws(Failure) -> Origin? {
        guard let origin = Origin(request.head) else { return nil }
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider()
        } catch {
            throw await account.failure(error)
        }
        return profile.tokenOrigins.union(origins).contains(origin) ? nil : origin
    }

    /// Writes the body unchanged. If a message follows on the same stream, it starts on its own line.
    private func write(_ response: LoadResponse, to console: Console) async throws(LoadError) {
        var lastByte = UInt8(ascii: "\n")
        for try await chunk in response.body {
            console.put(chunk)
            lastByte = chunk.last ?? lastByte
            if console.dataLoss.failure != nil { break }
        }
        let fails = response.status.code >= 400 || Self.redirects.contains(response.status.code)
        if fails, lastByte != UInt8(ascii: "\n"), console.hasOneStream { console.say("") }
    }

    /// Writes the body to a terminal, escaped, and with a line break at the end, so that the prompt starts on its own line.
    private func show(_ body: ResponseBody, on console: Console) async throws(LoadError) {
        var text = TerminalText()
        var lastByte = UInt8(ascii: "\n")
        func put(_ bytes: [UInt8]) {
            console.put(bytes)
            lastByte = bytes.last ?? lastByte
        }
        for try await chunk in body {
            put(text.take(chunk))
            if console.dataLoss.failure != nil { break }
        }
        put(text.finish())
        if lastByte != UInt8(ascii: "\n") { console.put("") }
    }

    private func head(of response: LoadResponse) -> String {
        let fields = response.head.headerFields.map { "\($0.name.rawName): \($0.value)" }
        let lines = ["HTTP \(response.status.code) \(response.status.reasonPhrase)"] + fields + [""]
        return lines.map { displayable($0, limit: Self.fieldLimit) }.joined(separator: "\n")
    }
}
