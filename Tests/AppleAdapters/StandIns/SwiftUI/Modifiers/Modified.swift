/// A view that shows its content, modified.
struct Modified<Content: View>: Primitive {
    let content: Content
    let change: ([Node], Place) -> [Node]

    func nodes(in place: Place) -> [Node] { change(content.nodes(in: place), place) }
}

extension View {
    /// Applies a change to each node.
    func each(_ change: @escaping (inout Node) -> Void) -> some View {
        Modified(content: self) { nodes, _ in
            nodes.map { node in
                var node = node
                change(&node)
                return node
            }
        }
    }

    /// Combines all nodes into one group, and applies a change to the group.
    func group(_ change: @escaping (inout Node) -> Void) -> some View {
        Modified(content: self) { nodes, _ in
            var group = Node(.group, children: nodes)
            change(&group)
            return [group]
        }
    }
}
