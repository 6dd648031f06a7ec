import AuthHubPrimitives
import NIOHTTP1

/// A page for the user's browser: plain HTML without external resources that works without scripts and repeats nothing from the request.
struct ResultPage: BrowserPage, Hashable {
    let status: HTTPResponseStatus
    let title: String
    /// The plain text; escaped when it is written.
    let text: String
    /// The allowed method, if the request used another one.
    var allowed = "GET"
    /// Whether the page's URL stays as it is, for the user to copy.
    var keepsAddress = false
}

extension ResultPage {
    /// Creates the page with the result of a sign-in.
    init(_ page: CallbackPage) {
        switch page {
        case .signedIn:
            self.init(status: .ok, title: "Signed in", text: "You can close this window and return to the program.")
        case .signedOut:
            self.init(status: .ok, title: "Signed out", text: "You can close this window and return to the program.")
        case .failed(let reason):
            self.init(status: .badRequest, title: "Not signed in", text: reason)
        }
    }

    static let undecided = Self(
        status: .ok, title: "Back to the program", text: "You can close this window. The program shows whether the sign-in worked.")
    static let notExpected = Self(
        status: .badRequest, title: "Not part of the sign-in",
        text: "This URL does not belong to the current sign-in. Return to the page where you were signing in.")
    static let ended = Self(
        status: .badRequest, title: "This sign-in is over", text: "Close this window and start again from the program.")
    static let alreadyStarted = Self(
        status: .gone, title: "Already opened",
        text: "This URL works only once. Continue in the window that opened it, open the URL that the program shows, or start again.")
    static let otherUser = Self(
        status: .forbidden, title: "Another user’s sign-in",
        text: "The program that waits here was started by another user of this machine. If that was you, copy the URL of this page "
            + "and paste it into the program.",
        keepsAddress: true)
    static let notFound = Self(status: .notFound, title: "Nothing here", text: "This port only waits for a sign-in response.")
    static let methodNotAllowed = Self(
        status: .methodNotAllowed, title: "Not allowed", text: "A sign-in response must be a GET request.")
    static let onlyPosted = Self(
        status: .methodNotAllowed, title: "Not allowed", text: "The response of this sign-in must be posted as a form.", allowed: "POST")
    static let notAForm = Self(
        status: .unsupportedMediaType, title: "Not understood", text: "The response of this sign-in must be a form, and this is not a form."
    )
    static let formNotRead = Self(
        status: .unprocessableEntity, title: "Not readable",
        text: "The program cannot read forms that the browser posts here. Use a loopback redirect URI for this sign-in.")
    static let bodyTooLong = Self(
        status: .payloadTooLarge, title: "Too long", text: "The form is longer than any sign-in needs.")
    static let notFromHere = Self(
        status: .forbidden, title: "Not allowed",
        text: "Only the page that this port shows at the end of a sign-in may send the response, and only once.")
    static let notAPage = Self(
        status: .forbidden, title: "Not allowed", text: "A sign-in response must be opened as a page, not inside another page.")
    static let foreignHost = Self(
        status: .badRequest, title: "Wrong host", text: "This port only responds to the host names 127.0.0.1 and localhost.")
    static let targetTooLong = Self(status: .uriTooLong, title: "Too long", text: "The URL is longer than any sign-in needs.")
    static let headersTooLong = Self(
        status: .requestHeaderFieldsTooLarge, title: "Too long", text: "The request is longer than any sign-in needs.")
    static let notPrefetched = Self(
        status: .serviceUnavailable, title: "No prefetching", text: "A sign-in response cannot be prefetched.")
    static let malformed = Self(status: .badRequest, title: "Not understood", text: "This is not an HTTP request.")
}

extension ResultPage {
    /// The header fields: nothing is stored, passed on or loaded (RFC 9700 §4.2.4), and the connection is closed.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": String(html.utf8.count),
            "Content-Security-Policy": Self.contentSecurityPolicy,
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        ]
        if status == .methodNotAllowed { headers.add(name: "Allow", value: allowed) }
        return headers
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(Self.escape(title))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>\(Self.escape(title))</h1>
        <p>\(Self.escape(text))</p>
        </main>
        \(keepsAddress ? "" : "<script>\(Self.script)</script>")
        </body>
        </html>

        """
    }

    static let style = """
        :root{color-scheme:light dark;--ground:#fff;--ink:#1d1d1f}\
        @media (prefers-color-scheme:dark){:root{--ground:#1d1d1f;--ink:#f5f5f7}}\
        body{margin:0;background:var(--ground);color:var(--ink);font:1.125rem/1.5 system-ui,sans-serif}\
        main{max-width:34rem;margin:20vh auto 0;padding:0 1.5rem}\
        h1{font-size:1.75rem;line-height:1.2}\
        p{overflow-wrap:anywhere}
        """

    /// Removes the code from the address bar and the history (RFC 9700 §4.3.1).
    static let script = #"history.replaceState(null,"",location.pathname)"#

    /// A policy that allows exactly ``style`` and ``script``, by their SHA-256 (Content Security Policy Level 3 §2.3.1).
    static let contentSecurityPolicy = """
        default-src 'none'; style-src 'sha256-busKnSdSrNVdD96zhFj6TdfoNXjMZynLbSGJn/8mGfg='; \
        script-src 'sha256-8A+3er73YJf04rRHGhbZwZQACPiiipi9EPduIeAAIDk='; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The longest text that is shown, in characters.
    static let maximumText = 2000

    /// Converts plain text to HTML: escapes markup, and replaces control and direction characters, which could disguise the text.
    private static func escape(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.prefix(maximumText).unicodeScalars {
            switch scalar {
            case "\n", "\t": plain.append(" ")
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl: plain.append("\u{FFFD}")
            default: plain.append(scalar)
            }
        }
        return htmlEscaped(String(plain))
    }
}
