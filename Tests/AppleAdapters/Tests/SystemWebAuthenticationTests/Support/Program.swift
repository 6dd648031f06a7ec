import AuthHubPrimitives
import AuthHubTesting
import AuthenticationServices
import SwiftUI
import WebAuthentication

@testable import SystemWebAuthenticationOnLinux

/// The two ways to provide a window.
enum Way: CaseIterable, Sendable {
    case session
    case environment
}

/// A program that signs in, its user, and the system that it runs on.
struct Program: Sendable {
    typealias Outcome = Result<ReceivedCallback, WebAuthenticationError>

    let system: PretendSystem
    let clock = TestClock()
    let authenticator: SystemWebAuthenticator

    /// - Parameters:
    ///   - scene: The state of the scene that contains the app's window; nil if there is no scene.
    ///   - hasWindow: Whether the app has a window at all.
    @MainActor
    init(
        _ way: Way, ephemeral: Bool = false, starts: Bool = true, heedsCancellation: Bool = true, hasWindow: Bool = true,
        scene: SceneState? = .foregroundActive, queue: WindowQueue = WindowQueue()
    ) {
        let system = PretendSystem(starts: starts)
        self.system = system
        switch way {
        case .session:
            let window = hasWindow ? AppWindow(scene) : nil
            authenticator = SystemWebAuthenticator(asksForEphemeral: ephemeral, queue: queue, clock: clock) {
                SessionWindow(isEphemeral: ephemeral) { window?.window }
            }
        case .environment:
            let session = WebAuthenticationSession(system, heedsCancellation: heedsCancellation)
            authenticator = SystemWebAuthenticator(asksForEphemeral: ephemeral, queue: queue, clock: clock) {
                EnvironmentWindow(session, isEphemeral: ephemeral)
            }
        }
    }

    /// Signs in, in a separate task.
    func signIn(_ callback: CallbackMethod = .customScheme("com.example.app"), _ request: WebAuthenticationRequest = .ofTest()) -> Task<
        Outcome, Never
    > {
        PretendSystem.$current.withValue(system) {
            Task { await signInHere(callback, request) }
        }
    }

    /// Signs in, in the calling task.
    func signInHere(
        _ callback: CallbackMethod = .customScheme("com.example.app"), _ request: WebAuthenticationRequest = .ofTest()
    ) async -> Outcome {
        do {
            return .success(try await authenticator.prepare(callback).authenticate(request))
        } catch {
            return .failure(error)
        }
    }
}

extension WebAuthenticationRequest {
    /// Returns a request that expects the state `s`.
    static func ofTest(
        _ url: String = "https://as.example/authorize?state=s", timeout: Duration = .seconds(300), headerFields: [String: String] = [:]
    ) -> Self {
        Self(url: url, timeout: timeout, additionalHeaderFields: headerFields) { $0.url.reveal().hasSuffix("state=s") }
    }
}

extension Program.Outcome {
    var callback: String? {
        if case .success(let received) = self { received.callback.url.reveal() } else { nil }
    }

    var error: WebAuthenticationError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
