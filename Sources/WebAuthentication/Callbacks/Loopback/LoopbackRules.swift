import AuthHubPrimitives
import NIOHTTP1

/// The rules that distinguish the callback from all other requests to the loopback port: favicons, prefetches, port scans, pages that point
/// their own name at this address. No I/O.
struct LoopbackRules: Sendable {
    /// The bound port.
    let port: Int
    /// The path of the redirect URI, compared byte by byte (RFC 9700 §4.1.3).
    let path: String

    /// The maximum length of the request target, and of all header fields together, in bytes.
    static let maximumBytes = 64 * 1024
    /// The maximum number of parameters of a callback.
    static let maximumParameters = 100

    enum Verdict: Sendable {
        /// The request is for the redirect URI; the transaction decides whether it belongs to the sign-in.
        case callback(CallbackURL)
        /// The request may be for the page's start URL.
        case start(ticket: String)
        /// The page that passes on the fragment must be shown.
        case showFragmentPage
        /// The body is needed.
        case readBody
        /// That page passes on its fragment, if its ticket is valid: then the body is needed.
        case readFragment(ticket: String)
        /// The response arrived in a different way than requested; waiting continues.
        case foreign(ResultPage)
        /// Any other request; waiting continues.
        case refuse(ResultPage)
    }

    var redirectURI: String { "http://127.0.0.1:\(port)\(path)" }

    /// Decides how to handle a request, from its head.
    ///
    /// - Parameter responseMode: The response mode of the expected response.
    func validate(_ head: HTTPRequestHead, _ responseMode: CallbackResponseMode = .query) -> Verdict {
        guard isOurs(hosts: head.headers[canonicalForm: "host"]) else { return .refuse(.foreignHost) }
        let target = head.uri
        let targetPath = target.prefix { $0 != "?" && $0 != "#" }
        guard target.utf8.count <= Self.maximumBytes else { return .refuse(.targetTooLong) }
        guard targetPath.utf8.elementsEqual(path.utf8) else {
            return target.hasPrefix(StartAddress.folder) ? validateStart(head) : .refuse(.notFound)
        }
        switch (responseMode, head.method) {
        case (_, .GET) where responseMode != .form: break
        case (.form, .POST), (.fragment, .POST): break
        case (.form, .GET) where target.utf8.contains(UInt8(ascii: "?")) && !isPrefetch(head.headers): return .foreign(.onlyPosted)
        case (.query, .POST): return .foreign(.methodNotAllowed)
        default: return .refuse(responseMode == .form ? .onlyPosted : .methodNotAllowed)
        }
        guard head.headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes else {
            return .refuse(.headersTooLong)
        }
        guard !isPrefetch(head.headers) else { return .refuse(.notPrefetched) }
        let parameters = target.utf8.count { $0 == UInt8(ascii: "&") } + 1
        guard parameters <= Self.maximumParameters else { return .refuse(.targetTooLong) }
        if head.method == .POST { return validatePost(head, responseMode) }
        guard responseMode == .fragment, !target.utf8.contains(UInt8(ascii: "?")) else { return .callback(callback(head)) }
        guard isNavigation(head.headers) else { return .refuse(.notAPage) }
        return .showFragmentPage
    }

    /// Decides how to handle a request, from the body that was needed.
    func validate(_ body: [UInt8], of head: HTTPRequestHead, _ responseMode: CallbackResponseMode) -> Verdict {
        switch PostedForm(body) {
        case .tooLong: .refuse(.bodyTooLong)
        case .unreadable: .refuse(.notAForm)
        case .form(let form) where responseMode == .form: .callback(callback(head, .form(form)))
        case .form(let fragment): .callback(CallbackURL("\(redirectURI)#\(fragment.reveal())"))
        }
    }

    /// Decides how to handle a request for a start URL. Requests that a browser sends without the user (previews, prefetches, parts of
    /// other pages) must not use it up.
    private func validateStart(_ head: HTTPRequestHead) -> Verdict {
        guard head.method == .GET else { return .refuse(.methodNotAllowed) }
        guard !isPrefetch(head.headers) else { return .refuse(.notPrefetched) }
        guard isNavigation(head.headers) else { return .refuse(.notAPage) }
        return .start(ticket: String(head.uri.dropFirst(StartAddress.folder.count)))
    }

    private func validatePost(_ head: HTTPRequestHead, _ responseMode: CallbackResponseMode) -> Verdict {
        guard PostedForm.isForm(head.headers["content-type"]) else { return .refuse(.notAForm) }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > PostedForm.maximumBytes {
            return .refuse(.bodyTooLong)
        }
        guard responseMode == .fragment else { return .readBody }
        // The authorization server posts forms from its own origin. A fragment must be posted from our origin; otherwise, someone else
        // has sent it.
        guard let ticket = onlyValue(of: FragmentPage.ticketField, in: head.headers), isFromHere(head) else { return .refuse(.notFromHere) }
        return .readFragment(ticket: ticket)
    }

    private func callback(_ head: HTTPRequestHead, _ content: CallbackURL.Content = .inURL) -> CallbackURL {
        CallbackURL("http://127.0.0.1:\(port)\(head.uri)", content: content)
    }

    /// Returns whether the page that sends this is from this port, under the name in the request (Fetch Standard, `Origin`, and Fetch
    /// Metadata Request Headers, `Sec-Fetch-Site`, if the browser sends it).
    private func isFromHere(_ head: HTTPRequestHead) -> Bool {
        guard let origin = onlyValue(of: "origin", in: head.headers), let host = onlyValue(of: "host", in: head.headers),
            origin.hasSameBytes(as: "http://" + host.lowercased()), !head.uri.utf8.contains(UInt8(ascii: "?"))
        else { return false }
        return head.headers["sec-fetch-site"].allSatisfy { $0 == "same-origin" }
    }

    /// Returns whether a separate window or tab is navigating here, as far as the browser reports it.
    private func isNavigation(_ headers: HTTPHeaders) -> Bool {
        headers["sec-fetch-mode"].allSatisfy { $0 == "navigate" } && headers["sec-fetch-dest"].allSatisfy { $0 == "document" }
    }

    private func onlyValue(of name: String, in headers: HTTPHeaders) -> String? {
        let values = headers[name]
        return values.count == 1 ? values.first : nil
    }

    /// Returns whether there is exactly one `Host`, and one of ours: a page whose own name was pointed at 127.0.0.1 sends another one (RFC
    /// 8252 §8.3).
    private func isOurs(hosts: [Substring]) -> Bool {
        guard hosts.count == 1, let host = hosts.first?.lowercased() else { return false }
        let names = ["127.0.0.1", "localhost"]
        return names.contains { host == "\($0):\(port)" || port == 80 && host == $0 }
    }

    private func isPrefetch(_ headers: HTTPHeaders) -> Bool {
        ["sec-purpose", "purpose", "x-purpose", "x-moz"].contains { name in
            headers[name].contains { value in ["prefetch", "prerender", "preview"].contains { value.lowercased().contains($0) } }
        }
    }
}
