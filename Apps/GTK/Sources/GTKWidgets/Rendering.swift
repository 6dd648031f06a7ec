import Observation

/// A rendering that keeps the UI up to date with the models: it runs when it is created, and again after changes to values that it has
/// read, once for simultaneous changes.
@MainActor
public final class Rendering {
    private let render: @MainActor () -> Void

    public init(_ render: @escaping @MainActor () -> Void) {
        self.render = render
        run()
    }

    private func run() {
        withObservationTracking {
            render()
        } onChange: { [weak self] in
            Task { @MainActor in self?.run() }
        }
    }
}
