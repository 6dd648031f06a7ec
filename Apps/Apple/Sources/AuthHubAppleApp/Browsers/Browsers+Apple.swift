#if canImport(SwiftUI)
import AuthHubApp
import SystemWebAuthentication
import WebAuthentication

extension Browsers {
    /// The window that the system has for signing in, and for what has to be pasted the person's own browser.
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
