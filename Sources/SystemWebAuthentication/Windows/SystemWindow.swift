#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import WebAuthentication

/// The URL from the system, not yet checked, or the reason why there is none.
typealias WindowEnd = Result<String, WebAuthenticationError>

/// A system window with one page. It is opened once.
@MainActor
protocol SystemWindow: AnyObject {
    /// Opens the window. Returns without waiting for the user.
    ///
    /// - Parameter end: Called with the result from the system, on any thread, and possibly twice or never.
    /// - Throws: ``WebAuthenticationError`` if no window opens; then `end` need not be called.
    func open(_ page: Page, end: @escaping @Sendable (WindowEnd) -> Void) throws(WebAuthenticationError)

    /// Asks the window to close. Harmless if repeated.
    func close()
}
#endif
