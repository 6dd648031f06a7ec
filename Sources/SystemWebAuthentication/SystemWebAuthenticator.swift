// The condition AUTHENTICATION_SERVICES_ON_LINUX is only for Tests/AppleAdapters, which compiles and runs these files with stubs of Apple's
// frameworks.
#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
public import AuthenticationServices
public import SwiftUI
public import WebAuthentication

/// An authenticator that shows the page in the sign-in window of Apple's systems, which also deliver the callback: custom schemes and https
/// URLs, which no other program can claim while the window is open.
///
///     let browser = SystemWebAuthenticator(ephemeral: true) { window }      // UIKit and AppKit: ASWebAuthenticationSession
///     let browser = SystemWebAuthenticator(webAuthenticationSession)        // SwiftUI: the value of that name in the environment
///
/// In addition to the guarantees of ``WebAuthentication/WebAuthenticator``:
///
/// - All instances in a program share one queue, so a sign-in waits until the window of a preceding sign-out is closed. A request's timeout
///   includes this wait.
/// - The system closes the window when it delivers a callback, so the sign-in cannot continue if it is not the expected one. It ends with
///   `.unexpectedCallback` if `state` is wrong or missing, and with `.refused` for another URL, such as a path that starts with the
///   expected one.
/// - If the user closes the window, the error is `.cancelledByPerson`. If the system ends the session and says why, for example because an
///   https callback's host is not associated with the app, the error is `.refused`, with the system's message.
/// - If the task is cancelled or times out, the caller gets its error immediately, and the next page waits up to two seconds for the window
///   to close.
/// - All systems that the package supports (iOS 18, macOS 15) support https callbacks.
///
/// It was only compiled and run with stubs of Apple's frameworks (`Tests/AppleAdapters`), never yet on Apple's systems.
public struct SystemWebAuthenticator: WebAuthenticator {
    private let asksForEphemeral: Bool
    private let queue: WindowQueue
    private let clock: any Clock<Duration>
    private let makeWindow: @MainActor @Sendable () -> any SystemWindow

    init(
        asksForEphemeral: Bool, queue: WindowQueue, clock: any Clock<Duration>,
        makeWindow: @escaping @MainActor @Sendable () -> any SystemWindow
    ) {
        self.asksForEphemeral = asksForEphemeral
        self.queue = queue
        self.clock = clock
        self.makeWindow = makeWindow
    }
}

extension SystemWebAuthenticator {
    #if os(tvOS) || os(watchOS)
    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - ephemeral: Whether the browser should be private and ephemeral; tvOS has no such option.
    ///   - clock: Measures the timeouts.
    public init(ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { SessionWindow(isEphemeral: ephemeral) }
    }
    #else
    /// Creates an authenticator for an app with windows.
    ///
    /// - Parameters:
    ///   - ephemeral: Whether the browser should be private and ephemeral, so that the user can sign in with another account. On macOS it
    ///     is a request: Safari honors it, other browsers may not.
    ///   - clock: Measures the timeouts.
    ///   - anchor: Returns the window of the app on which to show the page; called for each page. If there is none, or its scene is not in
    ///     the foreground, the sign-in ends with `.cannotShow`.
    public init(
        ephemeral: Bool = false, clock: any Clock<Duration> = .continuous,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor?
    ) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { SessionWindow(isEphemeral: ephemeral, anchor: anchor) }
    }
    #endif

    /// Creates an authenticator for SwiftUI.
    ///
    /// - Parameters:
    ///   - session: `@Environment(\.webAuthenticationSession)` of the view that signs in; it shows the page on the view's own window.
    ///   - ephemeral: Whether the browser should be private and ephemeral. On macOS it is a request: Safari honors it, other browsers may
    ///     not.
    ///   - clock: Measures the timeouts.
    @MainActor
    public init(_ session: WebAuthenticationSession, ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { EnvironmentWindow(session, isEphemeral: ephemeral) }
    }
}

extension SystemWebAuthenticator {
    /// The capabilities. On macOS and tvOS, the browser never counts as ephemeral, even if that was requested: a default browser other than
    /// Safari may not honor it, and tvOS has no such option.
    public var capabilities: WebAuthenticationCapabilities {
        #if os(macOS) || os(tvOS) || targetEnvironment(macCatalyst)
        let isEphemeral = false
        #else
        let isEphemeral = asksForEphemeral
        #endif
        return WebAuthenticationCapabilities(callbacks: [.customScheme, .https], knowsCancel: true, isEphemeral: isEphemeral)
    }

    /// Prepares a sign-in.
    ///
    /// - Throws: ``WebAuthentication/WebAuthenticationError`` with `.cannotReceive` for a loopback callback, which needs a listener (a
    ///   `BrowserAuthenticator`), and for an invalid scheme, host or path.
    public func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        SystemAttempt(callback, address: try CallbackAddress(callback), queue: queue, clock: clock, makeWindow: makeWindow)
    }
}
#endif
