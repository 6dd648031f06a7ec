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
    private var isEnding = false

    /// - Parameters:
    ///   - settings: The settings files; those of the person's configuration folder where none are given.
    ///   - isSeparate: Whether it is another one than the app that may run already.
    init(settings: [String], store: StoreChoice, isSeparate: Bool) {
        application = Application(Self.identifier, isUnique: !isSeparate)
        self.settings = settings
        self.store = store
    }

    /// Runs until the window is closed.
    func run() -> Int32 {
        application.onActivate { [weak self] in self?.activate() }
        for signal in [SIGINT, SIGTERM] {
            application.onSignal(signal) { [weak self] in self?.end() }
        }
        return application.run()
    }
}

extension DesktopApp {
    private func activate() {
        isEnding = false
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
        guard !isEnding else { return }
        isEnding = true
        window?.hide()
        Task {
            await model?.finish()
            if isEnding { application.quit() }
        }
    }
}
