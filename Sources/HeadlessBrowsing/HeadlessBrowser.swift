import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes
import Synchronization
public import WebAuthentication

/// A browser without a window, with a simulated user: fetches the pages of a sign-in, fills in their forms, and follows the server's
/// redirect to the listener.
///
/// Use it with development servers on this machine if no browser can be opened. It rejects all other hosts, because users who enter a
/// password into a program should be able to see which page asks for it. It does not run scripts, except that it sends the fragment of a
/// URL to the listener as the script of the listener's page would.
public struct HeadlessBrowser: PageOpener {
    private let filling: FormFilling
    private let transport: any Transport
    private let kept: KeptCookies?

    private static let stepLimit = 30
    private static let pageLimit = 1024 * 1024

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - filling: The simulated user, and whether the user allows access.
    ///   - transport: The transport that fetches the pages.
    ///   - keepsCookies: Whether cookies are kept from one sign-in to the next, so that the user stays signed in at the server, as in a
    ///     browser that stays open. Otherwise each sign-in starts without cookies.
    public init(filling: FormFilling, transport: any Transport, keepsCookies: Bool = false) {
        self.filling = filling
        self.transport = transport
        kept = keepsCookies ? KeptCookies() : nil
    }

    /// Follows the sign-in from its first page to the listener, and returns when the listener has responded.
    ///
    /// - Parameter url: The URL of the sign-in page, or a URL on this machine that redirects to it.
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if a page cannot be loaded, or if it has no form or redirect that continues
    ///   the sign-in.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        guard let start = RequestTarget(url) else { throw Self.stuck("the URL of the sign-in page is not valid") }
        if let walk = Self.walk(from: start) { return try await finish(walk) }
        guard let page = try await target(of: start), let walk = Self.walk(from: page) else {
            throw Self.stuck("the URL of the sign-in page has no redirect_uri")
        }
        try await finish(walk)
    }

    /// Returns where the sign-in starts and ends.
    ///
    /// - Returns: nil if the URL does not say where the sign-in ends.
    private static func walk(from start: RequestTarget) -> Walk? {
        let next = Step(target: start, form: nil)
        // A pushed request (RFC 9126) does not say where it ends: the sign-in ends when the server sends the browser to another origin.
        if parameters(in: start)?["request_uri"] != nil { return Walk(redirectURI: nil, leaving: Origin(url: start.url), next: next) }
        let redirectURI = redirectURI(in: start)
        guard redirectURI != nil || parameters(in: start)?["response_type"] == "token" else { return nil }
        return Walk(redirectURI: redirectURI, next: next)
    }

    /// Returns the target of a URL's redirect; nil if it does not redirect.
    private func target(of start: RequestTarget) async throws(WebAuthenticationError) -> RequestTarget? {
        let step = Step(target: start, form: nil)
        let response = try await load(step, cookies: CookieJar()).response
        guard response.head.status.kind == .redirection, let location = response.head.headerFields[.location] else { return nil }
        return try follow(location, from: step, keepsMethod: false).target
    }

    /// Opens the page for device codes (RFC 8628 §3.3), enters a code, signs in, and allows or denies access. Returns when a page has no
    /// further step.
    ///
    /// - Parameters:
    ///   - code: The code, either as the device shows it or as a user might type it.
    ///   - url: The URL of the page for the code.
    /// - Throws: `WebAuthenticationError` with `.cannotShow` if a page cannot be loaded, or if the server rejects the code.
    public func enter(_ code: String, at url: String) async throws(WebAuthenticationError) {
        guard let start = RequestTarget(url), start.scheme != nil else { throw Self.stuck("the URL of the page is not valid") }
        try await finish(Walk(redirectURI: nil, code: code, next: Step(target: start, form: nil)))
    }

    /// Visits a page that is not part of a sign-in, and submits its forms. Returns when a page has no further step.
    ///
    /// - Throws: `WebAuthenticationError` with `.cannotShow` if a page cannot be loaded.
    package func visit(_ url: String) async throws(WebAuthenticationError) {
        guard let start = RequestTarget(url), start.scheme != nil else { throw Self.stuck("the URL of the page is not valid") }
        var walk = Walk(redirectURI: nil, next: Step(target: start, form: nil))
        walk.isVisit = true
        try await finish(walk)
    }

    private func finish(_ walk: Walk) async throws(WebAuthenticationError) {
        var walk = walk
        if let kept { walk.cookies = kept.jar.withLock { $0 } }
        for _ in 0..<Self.stepLimit {
            guard let step = walk.next else { return }
            try await take(step, in: &walk)
        }
        throw Self.stuck("the sign-in took more than \(Self.stepLimit) pages")
    }
}

extension HeadlessBrowser {
    /// A page to request: by GET, or by POST with a form.
    private struct Step {
        let target: RequestTarget
        let form: FormParameters?
        /// The fragment, which is not sent to a server.
        var fragment: String?
    }

    private struct Walk {
        /// The redirect URI; nil if the URL does not contain it, or the sign-in ends at a page without a form.
        let redirectURI: String?
        /// The server's origin, if any other origin is the end.
        var leaving: Origin?
        var code: String?
        var next: Step?
        var cookies = CookieJar()
        var didSignIn = false
        var didEnterCode = false
        /// Whether the walk ends at the first page without a form.
        var isVisit = false

        /// Returns whether a URL is the listener's, whose response is the last page.
        func endsAt(_ target: RequestTarget) -> Bool {
            if let leaving { return Origin(url: target.url) != leaving }
            return redirectURI.map { target.url.prefix { $0 != "?" } == $0.prefix { $0 != "?" } } ?? false
        }
    }

    private func take(_ step: Step, in walk: inout Walk) async throws(WebAuthenticationError) {
        let (response, page) = try await load(step, cookies: walk.cookies)
        walk.cookies.take(response.head.headerFields, host: step.target.host)
        kept?.jar.withLock { [cookies = walk.cookies] in $0 = cookies }
        for frame in page.frames {
            // As in a browser, a frame that cannot be loaded does not matter.
            guard let frame = try? follow(frame, from: step, keepsMethod: false) else { continue }
            _ = try? await load(frame, cookies: walk.cookies)
        }
        if let ticket = page.fragmentTicket, let fragment = step.fragment {
            try await handOver(fragment, by: ticket, to: step.target)
            walk.next = nil
        } else if walk.endsAt(step.target) {
            walk.next = nil
        } else if response.head.status.kind == .redirection, let location = response.head.headerFields[.location] {
            walk.next = try follow(location, from: step, keepsMethod: [307, 308].contains(response.status.code))
        } else if let refresh = page.refresh, page.forms.isEmpty {
            walk.next = try follow(refresh, from: step, keepsMethod: false)
        } else if walk.didEnterCode || walk.isVisit, page.forms.isEmpty, response.status.kind == .successful {
            walk.next = nil
        } else {
            walk.next = try answer(page, of: response, at: step.target, in: &walk)
        }
    }

    private func load(
        _ step: Step, cookies: CookieJar
    ) async throws(WebAuthenticationError) -> (response: LoadResponse, page: HTMLPage) {
        let request = try request(for: step, cookies: cookies)
        do throws(LoadError) {
            let response = try await transport.send(request)
            return (response, HTMLPage(String(decoding: try await response.body.collect(upTo: Self.pageLimit), as: UTF8.self)))
        } catch {
            if error.code == .cancelled { throw WebAuthenticationError(.cancelledByProgram) }
            throw Self.stuck("a page of the server could not be loaded (\(error))", error)
        }
    }

    private func follow(_ location: String, from step: Step, keepsMethod: Bool) throws(WebAuthenticationError) -> Step {
        let parts = location.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let target = step.target.resolving(String(parts[0])) else {
            throw Self.stuck("the server redirects to an invalid URL")
        }
        return Step(target: target, form: keepsMethod ? step.form : nil, fragment: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// Does what the script of the listener's page does.
    private func handOver(_ fragment: String, by ticket: String, to target: RequestTarget) async throws(WebAuthenticationError) {
        var request = try request(for: Step(target: target, form: nil), cookies: CookieJar())
        guard let field = HTTPField.Name("X-AuthHub-Fragment-Ticket"), let origin = Origin(url: target.url) else { return }
        request.head.method = .post
        request.head.headerFields[field] = ticket
        request.head.headerFields[.origin] = origin.description
        request.body = .bytes(Array(fragment.utf8), contentType: "application/x-www-form-urlencoded")
        do throws(LoadError) {
            _ = try await transport.send(request).body.collect(upTo: Self.pageLimit)
        } catch {
            if error.code == .cancelled { throw WebAuthenticationError(.cancelledByProgram) }
            throw Self.stuck("the listener did not accept the fragment (\(error))", error)
        }
    }

    private func answer(
        _ page: HTMLPage, of response: LoadResponse, at target: RequestTarget, in walk: inout Walk
    ) throws(WebAuthenticationError) -> Step {
        guard response.status.code < 500, let submission = filling.fill(page, code: walk.code) else {
            throw Self.stuck(
                "the server shows a page without a form or link to continue (\(response.status.code)), which says \(Self.words(of: page))",
                response.status.kind == .clientError && !walk.didSignIn ? RejectedRequest() : nil)
        }
        guard !submission.signsIn || !walk.didSignIn else {
            throw Self.stuck("the server did not accept the user name or the password\(Self.problem(on: page))", RejectedPassword())
        }
        guard !submission.entersCode || !walk.didEnterCode else {
            throw Self.stuck("the server did not accept the code\(Self.problem(on: page))")
        }
        walk.didSignIn = walk.didSignIn || submission.signsIn
        walk.didEnterCode = walk.didEnterCode || submission.entersCode
        let action = submission.action.flatMap { $0.isEmpty ? nil : $0 } ?? target.path
        guard let next = target.resolving(action) else { throw Self.stuck("a form of the server has an invalid URL") }
        if submission.isPost { return Step(target: next, form: submission.parameters) }
        let path = next.path.prefix { $0 != "?" } + "?" + submission.parameters.encoded()
        guard let next = next.resolving(String(path)) else { throw Self.stuck("a form of the server has an invalid URL") }
        return Step(target: next, form: nil)
    }

    private func request(for step: Step, cookies: CookieJar) throws(WebAuthenticationError) -> LoadRequest {
        guard let scheme = step.target.scheme, let authority = step.target.authority,
            let origin = Origin(scheme: scheme, authority: authority), origin.isLoopback
        else {
            throw Self.stuck(
                "the sign-in leads to \(Origin(url: step.target.url)?.description ?? "another URL"), and the built-in user agent"
                    + " only signs in at servers on this machine")
        }
        var head = HTTPRequest(
            method: step.form == nil ? .get : .post, scheme: scheme, authority: authority, path: step.target.path,
            headerFields: [.accept: "text/html"])
        if let cookies = cookies.field(host: step.target.host, path: step.target.path) { head.headerFields[.cookie] = cookies }
        guard let form = step.form else { return LoadRequest(head) }
        // Browsers send this field with a form, and servers check it to detect forged forms.
        head.headerFields[.origin] = origin.description
        head.headerFields[.referer] = origin.description + "/"
        return LoadRequest(head, body: .form(form))
    }

    private static func redirectURI(in target: RequestTarget) -> String? {
        let parameters = parameters(in: target)
        return parameters?["redirect_uri"] ?? parameters?["post_logout_redirect_uri"]
    }

    private static func parameters(in target: RequestTarget) -> FormParameters? {
        try? FormParameters(decoding: target.path.drop { $0 != "?" }.dropFirst())
    }

    private static func words(of page: HTMLPage) -> String {
        quoted([page.problem, page.text, page.title].first { !$0.isEmpty } ?? "")
    }

    /// What a page with a form says about the last input; empty if nothing on the page is marked as a problem.
    private static func problem(on page: HTMLPage) -> String {
        page.problem.isEmpty ? "" : "; its page says \(quoted(page.problem))"
    }

    private static func quoted(_ text: String) -> String { "“\(displayable(text, limit: 200))”" }

    private static func stuck(_ explanation: String, _ underlying: (any Error)? = nil) -> WebAuthenticationError {
        WebAuthenticationError(.cannotShow, explanation, underlying: underlying)
    }
}

/// The server shows the sign-in form again: it did not accept the user name or the password.
package struct RejectedPassword: Error {}

/// The server does not accept the authorization request: it shows an error instead of the sign-in page.
package struct RejectedRequest: Error {}

extension RequestTarget {
    fileprivate var host: String { Origin(url: url)?.host ?? "" }
}

private final class KeptCookies: Sendable {
    let jar = Mutex(CookieJar())
}
