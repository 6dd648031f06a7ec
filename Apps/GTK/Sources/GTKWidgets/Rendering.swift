import Observation

/// Keeps what is shown as the models are: runs when it is made, and again after each change of what was read meanwhile, once for changes
/// that come together.
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
