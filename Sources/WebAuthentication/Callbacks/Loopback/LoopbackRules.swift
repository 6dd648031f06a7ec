import AuthHubPrimitives
import NIOHTTP1

/// Tells the callback apart from everything else that knocks at the loopback port: favicons, prefetches, port scans, pages that
/// point their own name at this address. No input, no output.
struct LoopbackRules: Sendable {
    /// The port that is bound.
    let port: Int
    /// The path of the redirect URI, compared byte for byte (RFC 9700 §4.1.3).
    let path: String

    /// The longest request target, and the most bytes in all header fields together.
    static let maximumBytes = 64 * 1024
    /// The most parameters of a callback.
    static let maximumParameters = 100

    enum Verdict: Sendable {
        /// It came to the redirect URI; whether it belongs to the sign-in is for the transaction to say.
        case callback(CallbackURL)
        /// A request for what may be the page's start address.
        case start(ticket: String)
        /// The page that hands over the fragment is to be shown.
        case showFragmentPage
        /// The body is needed.
        case readBody
        /// That page hands over its fragment, if its ticket is good: then the body is needed.
        case readFragment(ticket: String)
        /// A response that arrives otherwise than requested; waiting goes on.
        case foreign(ResultPage)
        /// Something else; waiting goes on.
        case refuse(ResultPage)
    }

    var redirectURI: String { "http://127.0.0.1:\(port)\(path)" }

    /// - Parameter carrier: What carries the answer that is waited for.
    func judge(_ head: HTTPRequestHead, _ carrier: CallbackCarrier = .query) -> Verdict {
        guard isOurs(hosts: head.headers[canonicalForm: "host"]) else { return .refuse(.foreignHost) }
        let target = head.uri
        let targetPath = target.prefix { $0 != "?" && $0 != "#" }
        guard target.utf8.count <= Self.maximumBytes else { return .refuse(.targetTooLong) }
        guard targetPath.utf8.elementsEqual(path.utf8) else {
            return target.hasPrefix(StartAddress.folder) ? judgeStart(head) : .refuse(.notFound)
        }
        switch (carrier, head.method) {
        case (_, .GET) where carrier != .form: break
        case (.form, .POST), (.fragment, .POST): break
        case (.form, .GET) where target.utf8.contains(UInt8(ascii: "?")) && !isPrefetch(head.headers): return .foreign(.onlyPosted)
        case (.query, .POST): return .foreign(.methodNotAllowed)
        default: return .refuse(carrier == .form ? .onlyPosted : .methodNotAllowed)
        }
        guard head.headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes else {
            return .refuse(.headersTooLong)
        }
        guard !isPrefetch(head.headers) else { return .refuse(.notPrefetched) }
        let parameters = target.utf8.count { $0 == UInt8(ascii: "&") } + 1
        guard parameters <= Self.maximumParameters else { return .refuse(.targetTooLong) }
        if head.method == .POST { return judgePost(head, carrier) }
        guard carrier == .fragment, !target.utf8.contains(UInt8(ascii: "?")) else { return .callback(callback(head)) }
        guard isNavigation(head.headers) else { return .refuse(.notAPage) }
        return .showFragmentPage
    }

    /// Judges a body that was asked for.
    func judge(_ body: [UInt8], of head: HTTPRequestHead, _ carrier: CallbackCarrier) -> Verdict {
        switch PostedForm(body) {
        case .tooLong: .refuse(.bodyTooLong)
        case .unreadable: .refuse(.notAForm)
        case .form(let form) where carrier == .form: .callback(callback(head, .form(form)))
        case .form(let fragment): .callback(CallbackURL("\(redirectURI)#\(fragment.reveal())"))
        }
    }

    /// Requests that a browser sends without the user (previews, prefetches, parts of other pages) must not use the address up.
    private func judgeStart(_ head: HTTPRequestHead) -> Verdict {
        guard head.method == .GET else { return .refuse(.methodNotAllowed) }
        guard !isPrefetch(head.headers) else { return .refuse(.notPrefetched) }
        guard isNavigation(head.headers) else { return .refuse(.notAPage) }
        return .start(ticket: String(head.uri.dropFirst(StartAddress.folder.count)))
    }

    private func judgePost(_ head: HTTPRequestHead, _ carrier: CallbackCarrier) -> Verdict {
        guard PostedForm.isForm(head.headers["content-type"]) else { return .refuse(.notAForm) }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > PostedForm.maximumBytes {
            return .refuse(.bodyTooLong)
        }
        guard carrier == .fragment else { return .readBody }
        // What the authorization server posts comes from its own origin; the fragment comes from ours, or it was put there by others.
        guard let ticket = onlyValue(of: FragmentPage.ticketField, in: head.headers), isFromHere(head) else { return .refuse(.notFromHere) }
        return .readFragment(ticket: ticket)
    }

    private func callback(_ head: HTTPRequestHead, _ content: CallbackURL.Content = .inURL) -> CallbackURL {
        CallbackURL("http://127.0.0.1:\(port)\(head.uri)", content: content)
    }

    /// Whether the page that sends this is one of this port, under the name that it is asked by now (Fetch Standard, `Origin`, and Fetch
    /// Metadata Request Headers, `Sec-Fetch-Site`, where the browser sends that).
    private func isFromHere(_ head: HTTPRequestHead) -> Bool {
        guard let origin = onlyValue(of: "origin", in: head.headers), let host = onlyValue(of: "host", in: head.headers),
            origin.hasSameBytes(as: "http://" + host.lowercased()), !head.uri.utf8.contains(UInt8(ascii: "?"))
        else { return false }
        return head.headers["sec-fetch-site"].allSatisfy { $0 == "same-origin" }
    }

    /// Whether a window or tab of its own is being led here, as far as the browser says.
    private func isNavigation(_ headers: HTTPHeaders) -> Bool {
        headers["sec-fetch-mode"].allSatisfy { $0 == "navigate" } && headers["sec-fetch-dest"].allSatisfy { $0 == "document" }
    }

    private func onlyValue(of name: String, in headers: HTTPHeaders) -> String? {
        let values = headers[name]
        return values.count == 1 ? values.first : nil
    }

    /// One `Host`, and one of ours: a page whose own name was pointed at 127.0.0.1 names another (RFC 8252 §8.3).
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
