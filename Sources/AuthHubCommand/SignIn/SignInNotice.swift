import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import WebAuthentication

/// The message to the user before a browser starts, with the URL in case the browser does not.
struct SignInNotice {
    let url: String
    let how: String
    var purpose = Purpose.signIn
    /// Whether the user can paste the final URL.
    var canPaste = false
    /// Whether the user must paste it.
    var isPasted = false
    /// Whether the authenticator detects that the window is closed.
    var seesClosedPage = true

    enum Purpose: String, Sendable {
        case signIn = "Sign in"
        case signOut = "Sign out"

        fileprivate var noun: String { self == .signIn ? "sign-in" : "sign-out" }
    }

    /// Whether the page shows the code to paste.
    var isPinPage = false
    /// The ways to sign in without this page; nil if none should be suggested.
    var otherWays: String?

    private var waiting: String {
        if isPinPage {
            return "Copy the text that the page shows at the end.\(isPasted ? "" : " Press p here to paste it.") Ctrl-C cancels."
        }
        if isPasted { return "At the end, the browser may show a page that does not load; copy that page's URL. Ctrl-C cancels." }
        let closing = seesClosedPage ? "" : " This command cannot detect whether you close the page; if you do, open the URL above again."
        return canPaste
            ? "Waiting for the \(purpose.noun) to finish.\(closing) Press p to paste the URL that the browser is redirected to. Ctrl-C cancels."
            : "Waiting for the \(purpose.noun) to finish.\(closing) Ctrl-C cancels."
    }

    func show(on console: Console, _ trace: Trace?) {
        let url = withoutIDTokenHint(url)
        trace?.page(url, "\(purpose.rawValue.lowercased()): \(how)")
        guard console.format == .text else { return console.say(url) }
        let style = console.style
        console.say(
            "\(purpose.rawValue) on this page (\(how)):\n\n  \(style(url, .cyan))\n\n\(style(waiting, .faint))"
                + (otherWays.map { "\n" + style($0, .faint) } ?? ""), linking: url)
    }
}

extension ProviderProfile {
    /// Whether users sign in at a server on this machine.
    var isOnLoopback: Bool {
        (endpoints?.authorization ?? issuer).flatMap { Origin(url: $0) }?.isLoopback ?? false
    }
}
