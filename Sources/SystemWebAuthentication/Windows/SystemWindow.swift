#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import WebAuthentication

/// The URL that the system brings, not judged yet, or why it brings none.
typealias WindowEnd = Result<String, WebAuthenticationError>

/// A window of the system's with one page in it. It is opened once.
@MainActor
protocol SystemWindow: AnyObject {
    /// Opens the window. Returns without waiting for the user.
    ///
    /// - Parameter end: Called with the result from the system, on any thread, and perhaps twice or never.
    /// - Throws: ``WebAuthenticationError`` if no window opens; then `end` need not be called.
    func open(_ page: Page, end: @escaping @Sendable (WindowEnd) -> Void) throws(WebAuthenticationError)

    /// Tells the window to go; harmless if repeated.
    func close()
}
#endif
