import AuthHubPrimitives

/// The window of a browser that is controlled over its DevTools pipe.
final class DevToolsWindow: BrowserWindow {
    private let browser: ProfileWindow
    private let connection: DevToolsConnection

    /// How long a browser may take to end by itself after it was asked to, or has closed its pipe.
    private static let patience = Duration.seconds(2)

    init(_ browser: ProfileWindow, _ connection: DevToolsConnection) {
        self.browser = browser
        self.connection = connection
    }

    func closed() async -> WebAuthenticationError {
        switch await connection.end {
        case .closed: .closedByPerson
        case .disconnected: await browser.failure(wasShown: true, patience: Self.patience)
        case .failed(let reason): browser.unusable(reason)
        }
    }

    func close() async {
        connection.closeBrowser()
        await browser.end(patience: Self.patience)
        connection.close()
    }

    /// Waits until the page has been requested.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`, or `.cancelledByProgram`; then everything is cleaned up.
    func untilShown(_ clock: any Clock<Duration>) async throws(WebAuthenticationError) {
        let limit = Task { [connection, clock] in
            guard (try? await clock.sleep(for: Self.startTime)) != nil else { return }
            connection.giveUp("it was not ready within \(Self.startTime.inWords)")
        }
        let failure = await withTaskCancellationHandler {
            await connection.shown
        } onCancel: { [connection] in
            connection.giveUp("")
        }
        limit.cancel()
        guard let failure else { return }
        let error: WebAuthenticationError =
            switch failure {
            case _ where Task.isCancelled: WebAuthenticationError(.cancelledByProgram)
            case .closed: .closedByPerson
            case .disconnected: await browser.failure(wasShown: false, patience: Self.patience)
            case .failed(let reason): browser.unusable(reason)
            }
        await close()
        throw error
    }

    /// How long a browser may take from its start to its page: long enough for a busy machine.
    private static let startTime = Duration.seconds(60)
}
