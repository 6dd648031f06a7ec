import AuthHubPrimitives

/// A user at a browser that stores cookies, fills in forms, and follows redirects within the server but not to other servers.
actor Person {
    private let client: RawClient
    private let base: String
    private var cookies: [String: String] = [:]
    private(set) var passwordsEntered = 0
    private(set) var consentsGiven = 0

    init(client: RawClient, base: String) {
        self.client = client
        self.base = base
    }

    struct Lost: Error {
        let page: RawClient.Response
    }

    /// Opens a URL of the server, and follows the pages until they redirect to a client.
    func visit(
        _ path: String, username: String = "octocat", password: String = "octocat-password", decision: String = "allow"
    ) async throws -> RawClient.Response {
        var page = try await open(path)
        for _ in 0..<8 {
            if let location = page.header("Location") {
                guard location.hasPrefix("/") else { return page }
                page = try await open(location)
            } else if page.text.contains("name=\"password\"") {
                passwordsEntered += 1
                page = try await submit(page, ["username": username, "password": password])
                guard page.status == 303 else { throw Lost(page: page) }
            } else if page.text.contains("name=\"decision\"") {
                consentsGiven += 1
                page = try await submit(page, ["decision": decision])
            } else {
                throw Lost(page: page)
            }
        }
        throw Lost(page: page)
    }

    /// Opens one page with this browser's cookies.
    func open(_ path: String) async throws -> RawClient.Response {
        keep(try await client.get(base + path, headers: cookieHeader))
    }

    /// Submits the form of a page, including hidden fields.
    func submit(_ page: RawClient.Response, _ fields: FormParameters, headers: [String: String] = [:]) async throws -> RawClient.Response {
        var form: FormParameters = ["form_token": page.attribute("value", after: "name=\"form_token\"") ?? ""]
        for field in fields.parameters { form.set(field.name, to: field.value) }
        let action = page.attribute("action", after: "<form") ?? ""
        return keep(try await client.post(base + action, form: form, headers: cookieHeader.merging(headers) { _, new in new }))
    }

    private var cookieHeader: [String: String] {
        cookies.isEmpty ? [:] : ["Cookie": cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")]
    }

    private func keep(_ page: RawClient.Response) -> RawClient.Response {
        for header in page.headers where header.name.lowercased() == "set-cookie" {
            let pair = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { cookies[String(pair[0])] = header.value.contains("Max-Age=0") ? nil : String(pair[1]) }
        }
        return page
    }
}

extension RawClient.Response {
    /// The value of the first attribute of this name after some text of the page.
    func attribute(_ name: String, after text: String) -> String? {
        guard let start = self.text.firstRange(of: text),
            let attribute = self.text[start.upperBound...].firstRange(of: "\(name)=\"")
        else { return nil }
        return String(self.text[attribute.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }
}
