import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// A request as it was typed, before the account determines the URL of a path.
struct RequestMessage: Sendable {
    private let method: HTTPRequest.Method
    private let url: String
    private let fields: HTTPFields
    private let content: RequestContent

    /// Checks the words and reads the files.
    ///
    /// - Parameters:
    ///   - words: The URL, or the method and the URL.
    ///   - header: Header fields.
    /// - Throws: ``Failure`` for anything that cannot be sent as typed.
    init(_ words: [String], content options: RequestContentOptions, header: [String]) throws(Failure) {
        let typed = words.count > 1 ? words[0].uppercased() : options.isEmpty ? "GET" : "POST"
        guard let method = HTTPRequest.Method(typed) else {
            throw .usage("“\(displayable(words[0], limit: 30))” is not an HTTP method", hint: "authhub request GET URL")
        }
        self.method = method
        url = words.last ?? ""
        try Self.check(url, method)
        var fields = try Self.fields(header)
        let mediaType = fields.mediaType
        content = try options.content(for: method, mediaType: mediaType)
        if content.isJSON, fields[.accept] == nil { fields[.accept] = "application/json" }
        self.fields = fields
    }

    /// Returns the request.
    ///
    /// - Throws: ``Failure`` if only a path was typed, and the base URL of the account's API is unknown.
    func request(at settings: AccountSettings, login: String) throws(Failure) -> LoadRequest {
        var url = url
        if url.hasPrefix("/") {
            let profile = try Failure.translating { try settings.profile() }
            guard let base = profile.apiBaseURL else {
                throw .usage(
                    "the base URL of the API is unknown, so “\(displayable(url, limit: 60))” is not a URL",
                    hint: "write the whole URL, or set the base URL: \(login) --base-url URL")
            }
            url = (base.hasSuffix("/") ? String(base.dropLast()) : base) + url
        }
        return try request(at: url)
    }

    /// Returns the request without an account, which only a whole URL allows.
    func requestWithoutAccount() throws(Failure) -> LoadRequest { try request(at: url) }

    private func request(at url: String) throws(Failure) -> LoadRequest {
        do {
            return try LoadRequest(method, url, query: content.query, headers: fields, body: content.body)
        } catch {
            throw .usage(error.explanation ?? "the URL is not valid", hint: "authhub request \(method.rawValue) https://HOST/PATH")
        }
    }
}

extension RequestMessage {
    private static func check(_ url: String, _ method: HTTPRequest.Method) throws(Failure) {
        if url.hasPrefix("/") { return }
        guard let target = RequestTarget(url), target.scheme != nil else {
            throw .usage(
                "the URL is neither an absolute http or https URL nor a path that begins with a slash",
                hint: "authhub request \(method.rawValue) https://HOST/PATH")
        }
        guard target.scheme == "https" || Origin(url: url)?.isLoopback ?? false else {
            throw .usage(
                "an http URL is only allowed for a server on this machine; anyone on the network could read and change the request",
                hint: "authhub request \(method.rawValue) \("https\(url.dropFirst(4))".shellWord)")
        }
    }

    private static func fields(_ header: [String]) throws(Failure) -> HTTPFields {
        var fields: HTTPFields = [:]
        for field in header {
            let halves = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = HTTPField.Name(String(halves[0])),
                HTTPField.isValidValue(String(halves[1].drop { $0 == " " }))
            else { throw .usage("the header field is not NAME: VALUE", hint: "use -H 'Accept: application/json'") }
            try check(name)
            fields.append(HTTPField(name: name, value: String(halves[1].drop { $0 == " " })))
        }
        return fields
    }

    /// Checks the name of a header field.
    ///
    /// - Throws: ``Failure`` if the URL, the body or the account determines the field: it would be dropped, or replace the token.
    private static func check(_ name: HTTPField.Name) throws(Failure) {
        switch name {
        case .authorization:
            throw .usage(
                "-H Authorization would replace the account's token",
                hint: "leave out -H Authorization; for the token of another account, also add --as NAME")
        case hostField: throw .usage("the Host field is set from the URL", hint: "leave it out and put the host into the URL")
        case .contentLength, .transferEncoding:
            throw .usage("\(name.rawName) is set from the body", hint: "leave it out and give the body with -d")
        default: break
        }
    }

    private static let hostField = HTTPField.Name("Host")
}
