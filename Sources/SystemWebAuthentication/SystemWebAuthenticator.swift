// The condition AUTHENTICATION_SERVICES_ON_LINUX is for Tests/AppleAdapters, which compiles and runs these files over stand-ins for Apple's
// frameworks, and for nothing else.
#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
public import AuthenticationServices
public import SwiftUI
public import WebAuthentication

/// Shows the page in the window that Apple's systems have for signing in, and gets the callback from them: custom schemes and https
/// addresses, which nobody else can claim while it is up.
///
///     let browser = SystemWebAuthenticator(ephemeral: true) { window }      // UIKit and AppKit: ASWebAuthenticationSession
///     let browser = SystemWebAuthenticator(webAuthenticationSession)        // SwiftUI: the value of that name in the environment
///
/// What holds beside the promises of ``WebAuthentication/WebAuthenticator``:
///
/// - All of them in a program share one queue, so that a sign-in waits until the window of a sign-out before it is gone. A request's
///   time-out runs while it waits, too.
/// - The system closes the window when it brings a callback, so that the sign-in cannot go on if that is not the expected one. It ends
///   with `.unexpectedCallback` for a wrong or missing `state`, and with `.refused` for another URL, such as a path that begins with the
///   wanted one.
/// - A person who closes the window is `.cancelledByUser`. Where the system ends it by itself and says why, such as for an https callback
///   whose host does not name the app, that is `.refused`, with its words.
/// - Where the task is cancelled or the time over, the caller gets its error at once, and the next page up to two seconds for the window to go.
/// - Of the package's systems (iOS 18, macOS 15) none is too old for https callbacks.
///
/// It was compiled and run with stand-ins for Apple's frameworks alone (`Tests/AppleAdapters`), never yet on Apple's systems.
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
    /// - Parameters:
    ///   - ephemeral: Whether the browser is to keep nothing and to know nothing; tvOS has no such choice.
    ///   - clock: Measures the time limits.
    public init(ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { SessionWindow(isEphemeral: ephemeral) }
    }
    #else
    /// - Parameters:
    ///   - ephemeral: Whether the browser is to keep nothing and to know nothing, so that a person can sign in as somebody else. On macOS
    ///     it is a wish: Safari heeds it, other browsers may not.
    ///   - clock: Measures the time limits.
    ///   - anchor: The window of the app to show the page on, asked for each page. Where there is none, or its scene is not in front,
    ///     the sign-in ends with `.cannotShow`.
    public init(
        ephemeral: Bool = false, clock: any Clock<Duration> = .continuous,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor?
    ) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { SessionWindow(isEphemeral: ephemeral, anchor: anchor) }
    }
    #endif

    /// - Parameters:
    ///   - session: `@Environment(\.webAuthenticationSession)` of the view that signs in; it shows the page on the view's own window.
    ///   - ephemeral: Whether the browser is to keep nothing and to know nothing. On macOS it is a wish: Safari heeds it, other browsers
    ///     may not.
    ///   - clock: Measures the time limits.
    @MainActor
    public init(_ session: WebAuthenticationSession, ephemeral: Bool = false, clock: any Clock<Duration> = .continuous) {
        self.init(asksForEphemeral: ephemeral, queue: .shared, clock: clock) { EnvironmentWindow(session, isEphemeral: ephemeral) }
    }
}

extension SystemWebAuthenticator {
    /// On macOS and tvOS nothing ephemeral is promised, whatever was asked for: a default browser other than Safari may not heed it, and
    /// tvOS has no such choice.
    public var capabilities: WebAuthenticationCapabilities {
        #if os(macOS) || os(tvOS) || targetEnvironment(macCatalyst)
        let isEphemeral = false
        #else
        let isEphemeral = asksForEphemeral
        #endif
        return WebAuthenticationCapabilities(callbacks: [.customScheme, .https], knowsCancel: true, isEphemeral: isEphemeral)
    }

    /// - Throws: ``WebAuthentication/WebAuthenticationError`` with `.cannotReceive` for a loopback callback, which needs a listener (a
    ///   `BrowserAuthenticator`), and for a scheme, host or path that can be none.
    public func prepare(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        SystemAttempt(callback, address: try CallbackAddress(callback), queue: queue, clock: clock, makeWindow: makeWindow)
    }
}
#endif
