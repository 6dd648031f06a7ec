/// A browser with a separate profile. It shows one window, and may deliver the callbacks of that window.
protocol ProfileBrowser: PrivatelyOpening {
    /// - Parameters:
    ///   - callbacks: The receiver of the callbacks that the window delivers; nil if it delivers none.
    ///   - headerFields: The header fields to send with the first request for the page; empty for a browser that is not
    ///     ``HeaderFieldSending``.
    /// - Throws: ``WebAuthenticationError``, or the error that kept the browser from starting.
    func launch(
        _ program: BrowserProgram, showing page: PageToShow, bringing callbacks: CapturedCallbacks?, headerFields: [String: String]
    ) async throws -> any BrowserWindow

    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if there is none.
    func findProgram() throws(WebAuthenticationError) -> BrowserProgram
}

extension ProfileBrowser {
    func show(
        _ page: PageToShow, bringing callbacks: CapturedCallbacks? = nil, headerFields: [String: String] = [:]
    ) async throws(WebAuthenticationError) -> any BrowserWindow {
        let program = try findProgram()
        do {
            return try await launch(program, showing: page, bringing: callbacks, headerFields: headerFields)
        } catch let error as WebAuthenticationError {
            throw error
        } catch {
            throw WebAuthenticationError(.cannotShow, "\(program.path) could not be started: \(error)", underlying: error)
        }
    }

    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(page)
    }
}

extension ProfileBrowser where Self: HeaderFieldSending {
    func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await show(page, headerFields: headerFields)
    }
}

/// An opener for the single window that delivers the callbacks.
struct CapturingOpener<Browser: ProfileBrowser>: PrivatelyOpening {
    let browser: Browser
    let callbacks: CapturedCallbacks

    var capabilities: WebAuthenticationCapabilities { browser.capabilities }

    func open(_ url: String) async throws(WebAuthenticationError) {
        _ = try await openWindow(url)
    }

    func openWindow(_ url: String) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await openWindow(PageToShow(openly: ShownURL(url)))
    }

    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await browser.show(page, bringing: callbacks)
    }
}

extension CapturingOpener: HeaderFieldSending where Browser: HeaderFieldSending {
    func openWindow(_ page: PageToShow, headerFields: [String: String]) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await browser.show(page, bringing: callbacks, headerFields: headerFields)
    }
}
