#if canImport(SwiftUI)
import AuthHubApp
import SystemWebAuthentication
import WebAuthentication

extension Browsers {
    /// The system's sign-in window, and the user's own browser for sign-ins with a code to paste.
    static var ofApple: Self {
        var browsers = Self(
            shared: SystemWebAuthenticator { ForegroundApp.window },
            ephemeral: SystemWebAuthenticator(ephemeral: true) { ForegroundApp.window }
        ) { prompt in
            BrowserAuthenticator(opener: DefaultBrowser(), pastePrompt: prompt)
        }
        browsers.opener = DefaultBrowser()
        return browsers
    }
}
#endif
