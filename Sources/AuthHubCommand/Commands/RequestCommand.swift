import ArgumentParser
import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

struct RequestCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Sends one request with the access token, and prints the answer's body.",
        discussion: """
            The token goes to the provider's own addresses only; --send-token-to names more. A token that has ended is renewed first, and a \
            refusal (401) is answered with one renewal and one more try. Statuses from 400 on end with status 1.

            On a terminal, characters of the body that would control it are written as \\u001b and the like. A file or a pipe gets the body \
            as it came.

            Examples:
              authhub request GET https://api.github.com/user
              authhub request POST https://api.github.com/gists -d @gist.json
            """)

    @Argument(help: "GET, POST, PUT, PATCH, DELETE or HEAD.")
    var method: String

    @Argument(help: "An absolute https URL.")
    var url: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The body: the text itself, @FILE, or - for standard input.", valueName: "data|@file|-"))
    var data: String?

    @Option(name: [.customShort("H"), .long], help: ArgumentHelp("A header field; may be repeated.", valueName: "name: value"))
    var header: [String] = []

    @Option(help: ArgumentHelp("One more origin that may see the token: https://api.example.com.", valueName: "origin"))
    var sendTokenTo: [String] = []

    @Flag(name: .shortAndLong, help: "Print the answer's status and header fields before its body.")
    var include = false

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    private static let bodyLimit = 64 * 1024 * 1024
    private static let fieldLimit = 64 * 1024

    func perform(_ console: Console) async throws(Failure) {
        let request = try request()
        let origins = try origins()
        let account = try await SignedInAccount.open(account, resources: origins)
        let foreignOrigin = try await originWithoutToken(request, account, origins)
        if let foreignOrigin {
            console.warn(
                "\(foreignOrigin) does not get the token: it is not the provider's own address. \(sendToken(to: foreignOrigin)) sends it there."
            )
        }
        let response: LoadResponse
        do {
            response = try await account.session.load(request)
            if include { console.put(head(of: response)) }
            if console.columns == nil {
                try await write(response.body, to: console)
            } else {
                try await show(response.body, on: console)
            }
        } catch {
            throw await account.failure(error)
        }
        guard response.status.code < 400 else {
            let signIn = foreignOrigin.map { "add \(sendToken(to: $0)), if that server is to see the token" } ?? account.login
            throw Failure(
                "http_\(response.status.code)", .failed, "the server answered \(response.status.code) \(response.status.reasonPhrase)",
                hint: response.status.code == 401 ? signIn : "the same command with -i shows the response's header fields")
        }
    }
}

extension RequestCommand {
    private func request() throws(Failure) -> LoadRequest {
        guard let method = HTTPRequest.Method(method.uppercased()) else {
            throw .usage("“\(displayable(method, limit: 30))” is no HTTP method", hint: "authhub request GET URL")
        }
        guard let target = RequestTarget(url), target.scheme != nil else {
            throw .usage("the address is not an absolute http or https URL", hint: "authhub request \(method.rawValue) https://HOST/PATH")
        }
        var fields: HTTPFields = [:]
        for field in header {
            let halves = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = HTTPField.Name(String(halves[0])),
                HTTPField.isValidValue(String(halves[1].drop { $0 == " " }))
            else { throw .usage("a header field is NAME: VALUE", hint: "-H 'Accept: application/json'") }
            fields.append(HTTPField(name: name, value: String(halves[1].drop { $0 == " " })))
        }
        return LoadRequest(method, target, headers: fields, body: try body(isTyped: fields[.contentType] != nil))
    }

    /// A body without a type of its own that is JSON says so.
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
                throw .usage("--send-token-to takes an https origin", hint: "--send-token-to https://api.example.com")
            }
            origins.insert(origin)
        }
        return origins
    }

    private func sendToken(to origin: Origin) -> String { "--send-token-to \(origin)" }

    /// The origin of the request if it does not get the token; nil if it does, or if the request has its own `Authorization` field.
    private func originWithoutToken(
        _ request: LoadRequest, _ account: SignedInAccount, _ origins: Set<Origin>
    ) async throws(Failure) -> Origin? {
        guard let origin = Origin(request.head), request.head.headerFields[.authorization] == nil else { return nil }
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider()
        } catch {
            throw await account.failure(error)
        }
        return profile.tokenOrigins.union(origins).contains(origin) ? nil : origin
    }

    private func write(_ body: ResponseBody, to console: Console) async throws(LoadError) {
        for try await chunk in body {
            console.put(chunk)
            if console.dataLoss.failure != nil { break }
        }
    }

    /// Writes the body to a terminal, escaped, and with a line break at the end, so that the prompt begins on its own line.
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
