public import Foundation

public struct VStack<Content: View>: Primitive {
    private let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] { [Node(.group, children: content.nodes(in: place))] }
}

public struct HStack<Content: View>: Primitive {
    private let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] { [Node(.group, children: content.nodes(in: place))] }
}

public struct Spacer: Primitive {
    public init(minLength: CGFloat? = nil) {}

    public func nodes(in place: Place) -> [Node] { [] }
}

public struct ScrollView<Content: View>: Primitive {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] { [Node(.group, children: content.nodes(in: place))] }
}

public struct NavigationStack<Data, Root: View>: Primitive {
    private let root: Root

    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
    }

    public func nodes(in place: Place) -> [Node] { [Node(.group, children: root.nodes(in: place))] }
}

public struct NavigationPath {}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: Primitive {
    private let label: Label
    private let description: Description
    private let actions: Actions

    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    public func nodes(in place: Place) -> [Node] {
        label.nodes(in: place.child("label")) + description.nodes(in: place.child("description"))
            + actions.nodes(in: place.child("actions"))
    }
}
