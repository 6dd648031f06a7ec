// Declared as in Apple's SwiftUI, as far as the code in the guides uses it.

@MainActor
public protocol View {
    associatedtype Body: View

    @MainActor var body: Body { get }
}

extension Never: View {
    public var body: Never {
        switch self {}
    }
}

/// Apple's has a label of any kind.
public struct Button: View {
    private let action: @MainActor () -> Void

    public init(_ title: String, action: @escaping @MainActor () -> Void) {
        self.action = action
    }

    /// Nothing is drawn here.
    public var body: some View { self }

    /// What the person does.
    public func press() {
        action()
    }
}

public struct EnvironmentValues: @unchecked Sendable {  // as a task-local value has to be; it stays on the main actor
    /// What views of a task find.
    @TaskLocal public static var current: EnvironmentValues?

    public var webAuthenticationSession: WebAuthenticationSession

    public init(webAuthenticationSession: WebAuthenticationSession) {
        self.webAuthenticationSession = webAuthenticationSession
    }
}

@propertyWrapper
public struct Environment<Value> {
    public let wrappedValue: Value

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues.current.unsafelyUnwrapped[keyPath: keyPath]
    }
}
