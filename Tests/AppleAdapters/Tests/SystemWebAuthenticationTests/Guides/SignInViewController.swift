import SystemWebAuthenticationOnLinux
import UIKit

// snippet: apple-uikit
final class SignInViewController: UIViewController {
    var account: Account?

    func signIn() {
        let browser = SystemWebAuthenticator(ephemeral: true) { [weak self] in self?.view.window }
        Task { await account?.signIn(in: browser) }
    }
}
// end

extension SignInViewController {
    convenience init(of account: Account, in window: AppWindow) {
        self.init()
        self.account = account
        view.window = window.window
    }
}
