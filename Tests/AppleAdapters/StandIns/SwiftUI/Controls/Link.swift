public import Foundation

public struct Link<Label: View>: Primitive {
    private let destination: URL
    private let label: Label

    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    /// The value of the node is the link's destination.
    public func nodes(in place: Place) -> [Node] {
        var node = Node(.link, children: label.nodes(in: place.child("label")))
        node.value = destination.absoluteString
        return [node]
    }
}
