public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}

public struct EnvironmentValues: @unchecked Sendable {  // as a task-local value must be; it stays on the main actor
    /// The values that the views of a task use.
    @TaskLocal public static var current = EnvironmentValues()

    public var scenePhase: ScenePhase
    private let session: WebAuthenticationSession?

    public var webAuthenticationSession: WebAuthenticationSession { session.unsafelyUnwrapped }

    public init(webAuthenticationSession: WebAuthenticationSession? = nil, scenePhase: ScenePhase = .active) {
        session = webAuthenticationSession
        self.scenePhase = scenePhase
    }
}

@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
