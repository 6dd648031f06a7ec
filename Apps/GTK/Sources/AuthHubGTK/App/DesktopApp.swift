import AuthHubApp
import GTKWidgets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The app on the desktop: one process with one window, from the first activation until all important work is finished.
@MainActor
final class DesktopApp {
    nonisolated static let identifier = "io.github.authhub.App"

    private let application: Application
    private let settings: [String]
    private let store: StoreChoice
    private var window: MainWindow?
    private var model: AppModel?
    /// The shutdown in progress; another activation cancels it.
    private var ending: Task<Void, Never>?

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - settings: The settings files; if empty, those in the user's configuration folder.
    ///   - isSeparate: Whether it is independent of a running instance of the app.
    init(settings: [String], store: StoreChoice, isSeparate: Bool) {
        application = Application(Self.identifier, isUnique: !isSeparate)
        self.settings = settings
        self.store = store
    }

    /// Whether the app is already running, and this process would only raise its window.
    var runsElsewhere: Bool { application.isRemote }

    /// Runs until the window is closed.
    func run() -> Int32 {
        application.onActivate { [weak self] in self?.activate() }
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            application.onSignal(signal) { [weak self] in self?.end() }
        }
        return application.run()
    }
}

extension DesktopApp {
    private func activate() {
        if let ending {
            ending.cancel()
            self.ending = nil
            Task { await model?.restore() }
        }
        if let window { return window.present() }
        let window = MainWindow(application, setUp: { [weak self] in self?.setUp() }, end: { [weak self] in self?.end() })
        self.window = window
        setUp()
        window.present()
    }

    private func setUp() {
        do throws(SetupProblem) {
            let model = try Setup.model(settings: settings, store: store)
            self.model = model
            window?.show(model)
            Task { await model.restore() }
        } catch {
            window?.show(error)
        }
    }

    /// Ends the process after receiving tokens that are in transit, which would be lost otherwise.
    private func end() {
        guard ending == nil else { return }
        window?.hide()
        // Do not wait for the user.
        model?.signIn.cancel()
        ending = Task {
            await model?.finish()
            if !Task.isCancelled { application.quit() }
        }
    }
}
