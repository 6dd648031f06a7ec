// The condition AUTHENTICATION_SERVICES_ON_LINUX is only for Tests/AppleAdapters, which compiles and runs these files with stubs of Apple's
// frameworks.
#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
public import AuthenticationServices
public import SwiftUI
public import WebAuthentication

/// An authenticator that shows the sign-in page in the authentication session of Apple's systems and receives the callback from it. It
/// supports custom schemes and https URLs, which no other app can claim while the window is open.
///
///     let browser = SystemWebAuthenticator(ephemeral: true) { window }      // UIKit and AppKit: ASWebAuthenticationSession
///     let browser = SystemWebAuthenticator(webAuthenticationSession)        // SwiftUI: the value of that name in the environment
///
/// In addition to the guarantees of ``WebAuthentication/WebAuthenticator``:
///
/// - All authenticators of a program share one queue: a sign-in waits until the window of the preceding sign-in or sign-out is closed. The
///   timeout of a request includes this wait.
/// - The system closes the window when it delivers a callback, so the sign-in ends even if the callback is not the expected one: with
///   `.unexpectedCallback` if `state` is wrong or missing, and with `.refused` for any other URL, such as one whose path only begins with
///   the expected path.
/// - If the user closes the window, the error is `.cancelledByUser`. If the system ends the sign-in and gives a reason, for example that
///   the host of an https callback does not name the app, the error is `.refused` with the system's message.
/// - If the task is cancelled or the request times out, the caller receives the error immediately. The next page is shown when the window
///   is closed, or after two seconds.
/// - https callbacks work on all systems that the package supports (iOS 18, macOS 15).
///
/// This type has only been compiled and run with stubs of Apple's frameworks (`Tests/AppleAdapters`), never on Apple's systems.
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
    ///   - ephemeral: Whether the browser session is private. Ignored on tvOS.
    ///   - clock: The clock for timeouts.
    public init(ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { SessionWindow(isEphemeral: ephemeral) }
    }
    #else
    /// Creates an authenticator for an app with windows.
    ///
    /// - Parameters:
    ///   - ephemeral: Whether the browser session is private, so that the user can sign in to another account. On macOS, this is only a
    ///     request: Safari honors it, other browsers may not.
    ///   - clock: The clock for timeouts.
    ///   - anchor: Returns the window of the app to show the page on. It is called for each page. If it returns nil, or if the scene of the
    ///     window is not in the foreground, the sign-in ends with `.cannotShow`.
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
    ///   - session: The value of `@Environment(\.webAuthenticationSession)` in the view that signs in. The page is shown on the window of
    ///     this view.
    ///   - ephemeral: Whether the browser session is private. On macOS, this is only a request: Safari honors it, other browsers may not.
    ///   - clock: The clock for timeouts.
    @MainActor
    public init(_ session: WebAuthenticationSession, ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { EnvironmentWindow(session, isEphemeral: ephemeral) }
    }
}

extension SystemWebAuthenticator {
    /// The capabilities. On macOS and tvOS, they never include an ephemeral session: a default browser other than Safari may ignore the
    /// request for one, and tvOS has no such option.
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
    /// - Throws: ``WebAuthentication/WebAuthenticationError`` with `.cannotReceive` if the scheme, host or path is not valid, or if the
    ///   callback is a loopback callback, which requires a `BrowserAuthenticator`.
    public func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        SystemAttempt(callback, address: try CallbackAddress(callback), queue: queue, clock: clock, makeWindow: makeWindow)
    }
}
#endif
