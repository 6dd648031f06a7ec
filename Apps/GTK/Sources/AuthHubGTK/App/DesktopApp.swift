import AuthHubApp
import GTKWidgets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The app on the desktop: one process with one window, from the first activation until nothing that counts is under way any more.
@MainActor
final class DesktopApp {
    nonisolated static let identifier = "io.github.authhub.App"

    private let application: Application
    private let settings: [String]
    private let store: StoreChoice
    private var window: MainWindow?
    private var model: AppModel?
    /// The ending that is under way; another activation calls it off.
    private var ending: Task<Void, Never>?

    /// - Parameters:
    ///   - settings: The settings files; those of the person's configuration folder where none are given.
    ///   - isSeparate: Whether it is another one than the app that may run already.
    init(settings: [String], store: StoreChoice, isSeparate: Bool) {
        application = Application(Self.identifier, isUnique: !isSeparate)
        self.settings = settings
        self.store = store
    }

    /// Whether the app runs already, and this process would only raise its window.
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

    /// Tokens that are on their way would be lost with the process: it ends behind them.
    private func end() {
        guard ending == nil else { return }
        window?.hide()
        // Nobody is waited for.
        model?.signIn.cancel()
        ending = Task {
            await model?.finish()
            if !Task.isCancelled { application.quit() }
        }
    }
}
