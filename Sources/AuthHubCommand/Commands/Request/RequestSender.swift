import AuthHub
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Platform

/// A response, or the last of several pages.
struct RequestResult: Sendable {
    let response: LoadResponse
    /// The bodies of all pages; nil if the body has not been read.
    var pages: [[UInt8]]?
}

/// Sends the requests of a command: waits if the server asks for it, and follows the links between pages.
struct RequestSender: Sendable {
    let sender: ResourceSender
    let console: Console

    /// Redirects that were not followed (RFC 9110 §15.4).
    static let redirects: Set<Int> = [301, 302, 303, 307, 308]
    /// The longest delay to wait for, in seconds.
    private static let longestDelay: Int64 = 60
    private static let attempts = 3
    private static let pageLimit = 10_000
    /// The maximum size of all pages.
    private static let sizeLimit = 256 * 1024 * 1024

    /// Sends a request, and repeats it if the server is busy and says when to try again (RFC 9110 §10.2.3, RFC 6585 §4): it has not processed
    /// the request, whatever the method.
    func response(to request: LoadRequest) async throws(Failure) -> LoadResponse {
        var attempt = 1
        while true {
            let response = try await loading { () async throws(LoadError) in try await sender.load(request) }
            guard [429, 503].contains(response.status.code), attempt < Self.attempts, request.body.canBeSent,
                let delay = Self.delay(in: response.head), delay <= Self.longestDelay
            else { return response }
            response.body.cancel()
            if console.format == .text, delay > 0 {
                console.say(
                    "The server is busy (\(response.status.code)). Sending the request again in \(Duration.seconds(delay).inWords); Ctrl-C cancels."
                )
            }
            do {
                try await Task.sleep(for: .seconds(delay))
            } catch {
                throw .interrupted
            }
            attempt += 1
        }
    }

    /// Returns how long the server asks to wait, in seconds; nil if it does not say.
    static func delay(in head: HTTPResponse) -> Int64? {
        RetryDelay(head.headerFields[values: .retryAfter], sent: head.headerFields[values: .date]) { Int64(Date().timeIntervalSince1970) }?
            .seconds
    }

    /// Sends a request for the first page of a list, and for all following pages.
    ///
    /// - Returns: All pages; or only the response if it is not successful.
    /// - Throws: ``Failure`` if a link leads to another origin or out of the account's resource, which must not get the token, or to a page that was already read.
    func pages(from first: LoadRequest, by paging: RequestPaging) async throws(Failure) -> RequestResult {
        switch (paging, first.head.method) {
        case (_, .get), (.cursor, .post): break
        case (.links, _):
            throw .usage(
                "--paginate needs the method GET, but this request uses \(first.head.method)",
                hint: "leave out --paginate, or the method and the body")
        case (.cursor, _): throw .usage("--cursor needs the method GET or POST", hint: "use one of these methods, or leave out --cursor")
        }
        var (request, pages, size) = (first, [[UInt8]](), 0)
        var seen = Set(RequestTarget(first.head).map { [$0.url] } ?? [])
        var linked = false
        while true {
            let response = try await response(to: request)
            guard response.status.code < 400, !Self.redirects.contains(response.status.code) else {
                return RequestResult(response: response)
            }
            let limit = Self.sizeLimit - size
            let page = try await loading { () async throws(LoadError) in try await response.body.collect(upTo: limit) }
            pages.append(page)
            size += page.count
            let fields = response.head.headerFields
            guard let next = try paging.next(after: request, fields: fields, body: page, first: first, linked: linked) else {
                if pages.count == 1, let notice = paging.notice(onOnlyPage: page) { console.warn(notice) }
                return RequestResult(response: response, pages: pages)
            }
            if let resource = sender.account?.settings.resource, getsToken(request), !getsToken(next.request) {
                throw Failure(
                    "security_check_failed", .securityCheckFailed,
                    "the next page is not part of \(resource), so it does not get the token; nothing was written",
                    hint: "run the same command without --paginate and --cursor")
            }
            if let other = response.notes.redirects.first(where: { $0 != Origin(first.head) }) {
                throw Failure(
                    "security_check_failed", .securityCheckFailed,
                    "a redirect led to \(other), which must not choose the next page; nothing was written",
                    hint: "run the same command without --paginate and --cursor")
            }
            guard seen.insert(next.key).inserted, pages.count < Self.pageLimit else {
                throw Failure(
                    "server_misbehaved", .failed,
                    "the pages never end: the next page is an earlier one, or there are more than \(Self.pageLimit) pages",
                    hint: "run the same command without --paginate and --cursor")
            }
            request = next.request
            linked = !LinkHeader(fields).links(rel: "next").isEmpty
        }
    }

    private func getsToken(_ request: LoadRequest) -> Bool {
        guard let account = sender.account, let origin = Origin(request.head) else { return false }
        return account.settings.sendsToken(to: origin, path: request.head.path ?? "/")
    }

    private func loading<Value: Sendable>(_ work: () async throws(LoadError) -> Value) async throws(Failure) -> Value {
        do throws(LoadError) {
            return try await work()
        } catch {
            throw await sender.failure(error)
        }
    }
}
