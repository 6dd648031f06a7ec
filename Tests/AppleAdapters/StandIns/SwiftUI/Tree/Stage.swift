/// Shows a view, any number of times, and keeps the state of all views in it by their places, as SwiftUI does. Apple's has nothing like it.
@MainActor
public final class Stage {
    private let show: (Place) -> [Node]
    private var slots: [String: AnyObject] = [:]

    public init(_ view: some View) {
        show = { view.nodes(in: $0) }
    }

    public init(_ scene: some Scene) {
        show = { scene.nodes(in: $0) }
    }

    /// The elements that are currently visible.
    public var tree: Node {
        Node(.group, children: show(Place(stage: self, path: "")))
    }

    func slot<Slot: AnyObject>(at path: String, or new: Slot) -> Slot {
        if let slot = slots[path] as? Slot { return slot }
        slots[path] = new
        return new
    }
}

/// The place of a view in the tree.
@MainActor
public struct Place {
    let stage: Stage
    let path: String

    func child(_ name: some Any) -> Place {
        Place(stage: stage, path: "\(path)/\(name)")
    }

    /// Restores the values that the view's properties had when the view was last shown in this place.
    func install(_ view: some Any) {
        for child in Mirror(reflecting: view).children {
            (child.value as? any PlacedProperty)?.place(at: self.child(child.label ?? ""))
        }
    }
}

/// A property that exists as long as the view's place.
@MainActor
protocol PlacedProperty {
    func place(at place: Place)
}
