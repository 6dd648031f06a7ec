import AuthHub
import WebAuthentication

extension LoginCommand {
    /// What to do if the response of the sign-in page cannot be received; nil if no option of this command would help.
    func receivingHint(_ settings: AccountSettings) -> String? {
        switch CallbackMethod(settings.client.redirectURI) {
        case .loopback: "add --port 0 for any free port, if the server accepts it"
        case .customScheme(let scheme, _): "authhub handler register \(scheme), or add --callback loopback"
        case .https: "add --ephemeral --browser chromium, or --callback loopback"
        case .pinPage: nil
        }
    }
}
