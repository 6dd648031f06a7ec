import AuthHubPrimitives
import Synchronization
import Testing

@testable import WebAuthentication
@testable import WebAuthenticationTests

/// A sign-in in a real headless Chromium that can only connect to a ``LoginServer``.
final class ChromiumSignIn: Sendable {
    static let isPossible = processEnvironment().findProgram("chromium") != nil

    let folder: ScriptFolder
    let redirectURI: String
    private let checked: Checked
    private let task: Task<Result<ReceivedCallback, WebAuthenticationError>, Never>

    /// - Parameters:
    ///   - state: The state that the callback must contain to belong to this sign-in.
    ///   - path: The path of the first page.
    ///   - variables: Added to the browser's environment.
    init(
        _ method: CallbackMethod, at server: LoginServer, path: String = "/login", state: String = "right",
        responseMode: CallbackResponseMode = .query, headerFields: [String: String] = [:], arguments: [String] = [],
        variables: [String: String] = [:], folder: ScriptFolder? = nil
    ) async throws {
        let folder = try folder ?? ScriptFolder()
        self.folder = folder
        let environment = processEnvironment().merging(["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]) { $1 }
            .merging(variables) { $1 }
        let opener = EphemeralChromium(
            arguments: [
                "--headless", "--ignore-certificate-errors", "--disable-popup-blocking",
                "--host-resolver-rules=MAP * 127.0.0.1:\(server.port), EXCLUDE 127.0.0.1",
            ] + arguments,
            environment: environment)
        let attempt = try await BrowserAuthenticator(opener: opener).prepare(method)
        redirectURI = attempt.redirectURI
        let checked = Checked()
        self.checked = checked
        let request = WebAuthenticationRequest(
            url: server.origin + path, responseMode: responseMode, timeout: .seconds(120), additionalHeaderFields: headerFields
        ) { callback in
            checked.urls.withLock { $0.append(callback.url.reveal()) }
            server.noteChange()
            if case .form(let form) = callback.content { return form.reveal().contains("state=\(state)") }
            return callback.url.reveal().contains("state=\(state)")
        }
        task = Task {
            do throws(WebAuthenticationError) {
                return .success(try await attempt.authenticate(request))
            } catch {
                return .failure(error)
            }
        }
    }

    var outcome: Result<ReceivedCallback, WebAuthenticationError> {
        get async { await task.value }
    }

    /// The callbacks that have been checked, in order.
    var seen: [String] { checked.urls.withLock { $0 } }

    func cancel() {
        task.cancel()
    }

    private final class Checked: Sendable {
        let urls = Mutex<[String]>([])
    }
}
