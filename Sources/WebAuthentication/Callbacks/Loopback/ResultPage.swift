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
            self.init(status: .ok, title: "Signed in", text: "You can close this window and go back to the program.")
        case .signedOut:
            self.init(status: .ok, title: "Signed out", text: "You can close this window and go back to the program.")
        case .failed(let reason):
            self.init(status: .badRequest, title: "Not signed in", text: reason)
        }
    }

    static let undecided = Self(
        status: .ok, title: "Back to the program", text: "This window has done its part. The program shows whether the sign-in worked.")
    static let notExpected = Self(
        status: .badRequest, title: "Not part of the sign-in",
        text: "This address does not belong to the sign-in that is under way. Go back to the page where you were signing in.")
    static let ended = Self(
        status: .badRequest, title: "This sign-in has ended", text: "Close this window and start again from the program.")
    static let alreadyStarted = Self(
        status: .gone, title: "Already opened",
        text: "This address works only once. Go on in the window that opened it, open the URL that the program shows, or start again.")
    static let otherUser = Self(
        status: .forbidden, title: "Another user’s sign-in",
        text: "The program that waits here was started by another user of this machine. If that was you, copy the address of this page "
            + "and paste it into the program.",
        keepsAddress: true)
    static let notFound = Self(status: .notFound, title: "Nothing here", text: "This port only waits for the end of a sign-in.")
    static let methodNotAllowed = Self(
        status: .methodNotAllowed, title: "Not this way", text: "The end of a sign-in is fetched with GET.")
    static let onlyPosted = Self(
        status: .methodNotAllowed, title: "Not this way", text: "The end of this sign-in is posted as a form.", allowed: "POST")
    static let notAForm = Self(
        status: .unsupportedMediaType, title: "Not understood", text: "The end of this sign-in is a form, and this is none.")
    static let formNotRead = Self(
        status: .unprocessableEntity, title: "Not read",
        text: "The browser does not show the program what it posts here. Take a loopback redirect URI for this sign-in.")
    static let bodyTooLong = Self(
        status: .payloadTooLarge, title: "Too long", text: "The form is longer than any sign-in needs.")
    static let notFromHere = Self(
        status: .forbidden, title: "Not from here",
        text: "Only the page that this port shows at the end of a sign-in may hand it over, and only once.")
    static let notAPage = Self(
        status: .forbidden, title: "Not this way", text: "The end of a sign-in is opened as a page of its own, not as a part of another.")
    static let foreignHost = Self(
        status: .badRequest, title: "Not this address", text: "This port answers only under the name 127.0.0.1 or localhost.")
    static let targetTooLong = Self(status: .uriTooLong, title: "Too long", text: "The address is longer than any sign-in needs.")
    static let headersTooLong = Self(
        status: .requestHeaderFieldsTooLarge, title: "Too long", text: "The request is longer than any sign-in needs.")
    static let notPrefetched = Self(
        status: .serviceUnavailable, title: "Not in advance", text: "The end of a sign-in cannot be fetched in advance.")
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
