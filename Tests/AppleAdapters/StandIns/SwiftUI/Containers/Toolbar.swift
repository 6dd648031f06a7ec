@MainActor @preconcurrency  // as in Apple's
public protocol ToolbarContent {
    func nodes(in place: Place) -> [Node]
}

public struct ToolbarItemPlacement: Sendable {
    public static let navigation = ToolbarItemPlacement()
    public static let primaryAction = ToolbarItemPlacement()
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    private let content: Content

    public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) where ID == () {
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] { content.nodes(in: place) }
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    private let content: Content

    public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func nodes(in place: Place) -> [Node] { content.nodes(in: place) }
}

@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildBlock<each Content: ToolbarContent>(_ content: repeat each Content) -> some ToolbarContent {
        ToolbarItems { place in
            var nodes: [Node] = []
            var index = 0
            for item in repeat each content {
                nodes += item.nodes(in: place.child(index))
                index += 1
            }
            return nodes
        }
    }
}

struct ToolbarItems: ToolbarContent {
    let show: @MainActor (Place) -> [Node]

    func nodes(in place: Place) -> [Node] { show(place) }
}

extension View {
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let toolbar = content()
        return Modified(content: self) { nodes, place in
            [Node(.group, children: toolbar.nodes(in: place.child("toolbar"))), Node(.group, children: nodes)]
        }
    }
}
