/// A view that shows its content, modified.
struct Modified<Content: View>: Primitive {
    let content: Content
    let change: ([Node], Place) -> [Node]

    func nodes(in place: Place) -> [Node] { change(content.nodes(in: place), place) }
}

extension View {
    /// Changes each node.
    func each(_ change: @escaping (inout Node) -> Void) -> some View {
        Modified(content: self) { nodes, _ in
            nodes.map { node in
                var node = node
                change(&node)
                return node
            }
        }
    }

    /// Puts all nodes into one group, and changes that.
    func group(_ change: @escaping (inout Node) -> Void) -> some View {
        Modified(content: self) { nodes, _ in
            var group = Node(.group, children: nodes)
            change(&group)
            return [group]
        }
    }
}
