public import Foundation

@MainActor @preconcurrency  // as in Apple's
public protocol App {
    associatedtype Body: Scene

    @SceneBuilder @MainActor var body: Body { get }

    @MainActor init()
}

extension App {
    /// Ends immediately, without showing anything.
    @MainActor
    public static func main() {
        _ = Stage(Self().body).tree
    }
}

@MainActor @preconcurrency  // as in Apple's
public protocol Scene {
    func nodes(in place: Place) -> [Node]
}

@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    private let title: String
    private let content: Content

    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        title = titleKey.text
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] {
        var window = Node(.group, children: content.nodes(in: place))
        window.title = title
        return [window]
    }
}

struct ModifiedScene<Content: Scene>: Scene {
    let content: Content
    let change: (inout Node) -> Void

    func nodes(in place: Place) -> [Node] {
        content.nodes(in: place).map { node in
            var node = node
            change(&node)
            return node
        }
    }
}

extension Scene {
    public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene { self }

    public func commands<Content: Commands>(@CommandsBuilder content: () -> Content) -> some Scene { self }

    /// Runs the action immediately if `initial` is true, as when the window appears.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene {
        ModifiedScene(content: self) { node in
            if initial { node.appear.append { action(value, value) } }
        }
    }
}

@MainActor @preconcurrency  // as in Apple's
public protocol Commands {}

@resultBuilder
public struct CommandsBuilder {
    public static func buildBlock<Content: Commands>(_ content: Content) -> Content { content }
}

public struct CommandGroupPlacement: Sendable {
    public static let newItem = CommandGroupPlacement()
}

public struct CommandGroup<Content: View>: Commands {
    public init(replacing group: CommandGroupPlacement, @ViewBuilder addition: () -> Content) {}
}
