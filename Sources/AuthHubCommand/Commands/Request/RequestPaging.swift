import ArgumentParser
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

/// Where a response says what the next page of a list is.
enum RequestPaging: Sendable {
    /// In a URL: a `Link` field with `rel="next"` (RFC 8288), or a member of the body that is known for it.
    case links
    /// In a cursor, which the request for the next page contains.
    case cursor(PageCursor)

    /// The request for the next page.
    struct Next: Sendable {
        let request: LoadRequest
        /// What identifies the page: its URL or its cursor.
        let key: String
    }
}

extension RequestPaging {
    /// Returns the request for the page after another one; nil if that was the last one.
    ///
    /// - Parameters:
    ///   - first: The request for the first page.
    ///   - linked: Whether a `Link` field led to the page. The last such page needs none.
    ///   - request: The request for the page.
    ///   - fields: The header fields of the response.
    ///   - body: The body of the response.
    /// - Throws: ``Failure`` if the next page is at another origin, which must not get the token; if the cursor cannot be read or sent; or
    ///   if the page does not show whether there is a next one.
    func next(
        after request: LoadRequest, fields: HTTPFields, body: [UInt8], first: LoadRequest, linked: Bool = false
    ) throws(Failure) -> Next? {
        switch self {
        case .links:
            guard let reference = try Self.reference(fields, body, linked: linked) else { return nil }
            guard let target = RequestTarget(request.head)?.resolving(reference),
                let next = try? LoadRequest(.get, target.url, headers: first.head.headerFields)
            else {
                throw Failure(
                    "server_misbehaved", .failed, "the URL of the next page is not a valid http or https URL; nothing was written",
                    hint: "run the same command without --paginate")
            }
            guard Origin(next.head) == Origin(first.head) else {
                // Without the path and the query, which may contain a token.
                let place = Origin(next.head)?.description ?? "in an unknown place"
                throw Failure(
                    "security_check_failed", .securityCheckFailed,
                    "the next page is at another origin (\(place)), which does not get the token; nothing was written",
                    hint: "run the same command without --paginate")
            }
            return Next(request: next, key: target.url)
        case .cursor(let cursor):
            return try cursor.value(in: body).map { value throws(Failure) in
                Next(request: try cursor.request(with: value, first: first), key: value.text)
            }
        }
    }

    /// What the user should know if the first page is the last one: the member with the cursor may have another name. Otherwise, nil.
    func notice(onOnlyPage body: [UInt8]) -> String? {
        guard case .cursor(let cursor) = self, let name = cursor.missingMember(in: body) else { return nil }
        return "the page has no member \(name), so it is taken for the only page"
    }

    private static func reference(_ fields: HTTPFields, _ body: [UInt8], linked: Bool) throws(Failure) -> String? {
        let header = LinkHeader(fields)
        if let link = header.links(rel: "next").first { return link.reference }
        guard header.isWhole else { throw .unknownNextPage("its Link field is malformed") }
        guard !body.isEmpty else { return nil }
        let page: JSONValue
        do throws(JSONError) {
            page = try JSONValue(received: body, maximumValues: RequestWriter.maximumValues)
        } catch {
            let isInList = linked || ["first", "prev", "previous", "last"].contains { !header.links(rel: $0).isEmpty }
            guard !isInList else { return nil }
            throw .unknownNextPage("it is \(error.inWords), and has no Link field")
        }
        return try PageLinks.reference(in: page)
    }
}

/// The member of a page that contains the cursor of the next one, and the parameter that sends it: `next_cursor=cursor`.
struct PageCursor: Sendable, Equatable, ExpressibleByArgument {
    private let member: [String]
    /// The name of a query parameter; or the path of a member of a JSON body.
    private let parameter: String

    init?(argument: String) {
        let halves = argument.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard halves.count == 2 else { return nil }
        member = Self.path(halves[0])
        parameter = halves[1]
        guard !member.contains(""), !Self.path(parameter).contains("") else { return nil }
    }

    /// A cursor: a string or a number.
    struct Value: Sendable, Equatable {
        let json: JSONValue
        let text: String
    }

    /// The members next to a cursor that are false on the last page: GraphQL's, and those of several REST APIs.
    static let flags = ["hasNextPage", "has_next_page", "has_more", "hasMore"]

    private static func path(_ text: String) -> [String] { text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
}

extension PageCursor {
    /// Returns the cursor in a page; nil if it is the last one, because the cursor is missing, null, empty or marked as the last.
    ///
    /// - Throws: ``Failure`` if the page is not a JSON object, or the member is neither a string nor a number.
    func value(in page: [UInt8]) throws(Failure) -> Value? {
        let name = displayable(member.joined(separator: "."), limit: 200)
        guard let page = try? JSONValue(received: page, maximumValues: RequestWriter.maximumValues), page.object != nil else {
            throw .usage("the page is not a JSON object, so it has no member \(name); nothing was written", hint: "leave out --cursor")
        }
        let parent = page.member(at: member.dropLast())
        if Self.flags.contains(where: { parent?[$0] == false }) { return nil }
        switch page.member(at: member[...]) {
        case nil, .null?, "":
            guard !Self.flags.contains(where: { parent?[$0] == true }) else {
                throw .unknownNextPage("it says that there are more pages, but has no \(name)")
            }
            return nil
        case .string(let text)?: return Value(json: .string(text), text: text)
        case .number(let number)?:
            let json = JSONValue.number(number)
            return Value(json: json, text: String(decoding: json.serialized(), as: UTF8.self))
        default:
            throw .usage("\(name) is neither a string nor a number; nothing was written", hint: "name the member that contains the cursor")
        }
    }

    /// The name of the member if a page does not have it, and no flag says that there are no more pages; otherwise nil.
    func missingMember(in page: [UInt8]) -> String? {
        guard let page = try? JSONValue(received: page, maximumValues: RequestWriter.maximumValues), page.member(at: member) == nil else {
            return nil
        }
        let parent = page.member(at: member.dropLast())
        return Self.flags.contains { parent?[$0] == false } ? nil : displayable(member.joined(separator: "."), limit: 200)
    }

    /// Returns the request for the page at a cursor: the first request with the cursor in its query, or in its body with the method POST.
    ///
    /// - Throws: ``Failure`` if the body is not a JSON object, or has another value where an object should contain the cursor.
    func request(with value: Value, first: LoadRequest) throws(Failure) -> LoadRequest {
        var head = first.head
        guard head.method == .post else {
            let halves = (head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            // The other parameters stay as they were typed.
            let others = halves.dropFirst().joined().split(separator: "&").filter { pair in
                (try? FormParameters(decoding: pair))?.parameters.first?.name != parameter
            }
            let pair = FormParameters([.init(name: parameter, value: value.text)]).encoded()
            head.path = halves[0] + "?" + (others.map(String.init) + [pair]).joined(separator: "&")
            return LoadRequest(head, body: first.body, options: first.options)
        }
        guard let body = first.body.bytes, let object = try? JSONValue(strict: body),
            let changed = object.setting(Self.path(parameter)[...], to: value.json)
        else {
            throw .usage(
                "with the method POST, --cursor adds the cursor to a JSON object, which the body is not",
                hint: "use --json, or the method GET for a cursor in the query")
        }
        return LoadRequest(
            head, body: .bytes(changed.serialized(), contentType: first.body.contentType ?? "application/json"), options: first.options)
    }
}

extension Failure {
    /// The error for a page that may have a next one, which cannot be found.
    static func unknownNextPage(_ reason: String) -> Failure {
        Failure(
            "server_misbehaved", .failed, "the next page is unknown: \(reason); nothing was written",
            hint: "run the same command without --paginate, or name the member with the cursor: --cursor MEMBER=PARAMETER")
    }
}

extension JSONError {
    fileprivate var inWords: String {
        if case .tooManyValues(let limit) = self { "JSON with more than \(limit) values" } else { "not valid JSON" }
    }
}

extension JSONValue {
    func member(at path: some Sequence<String>) -> JSONValue? {
        var value = self
        for name in path {
            guard let member = value[name] else { return nil }
            value = member
        }
        return value
    }

    /// Returns the object with a changed member, and with new objects around it if they are missing; nil if this is not an object.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONValue? {
        guard let name = path.first else { return value }
        guard var object else { return nil }
        guard let member = (object[name] ?? [:]).setting(path.dropFirst(), to: value) else { return nil }
        object[name] = member
        return .object(object)
    }
}
