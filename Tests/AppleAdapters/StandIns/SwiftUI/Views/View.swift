// Declared as in Apple's SwiftUI, as far as the adapters, the guides and the app use it; everything below `nodes` exists only here.

@MainActor @preconcurrency  // as in Apple's
public protocol View {
    associatedtype Body: View

    @ViewBuilder @MainActor var body: Body { get }

    /// Returns the elements that a user perceives. Apple's protocol has no such function.
    func nodes(in place: Place) -> [Node]
}

extension View {
    public func nodes(in place: Place) -> [Node] {
        let place = place.child(Self.self)
        place.install(self)
        return body.nodes(in: place)
    }
}

/// A view that does not consist of other views.
public protocol Primitive: View where Body == Self {}

extension Primitive {
    /// Never called, because the view implements ``nodes(in:)``.
    public var body: Self { self }
}

public struct EmptyView: Primitive {
    public init() {}

    public func nodes(in place: Place) -> [Node] { [] }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Self

    public var body: Self { self }

    public func nodes(in place: Place) -> [Node] {
        map { $0.nodes(in: place.child("some")) } ?? []
    }
}

public struct TupleView<T>: Primitive {
    private let show: @MainActor (Place) -> [Node]

    init(_ show: @escaping @MainActor (Place) -> [Node]) {
        self.show = show
    }

    public func nodes(in place: Place) -> [Node] { show(place) }
}

public struct _ConditionalContent<TrueContent: View, FalseContent: View>: Primitive {
    enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }

    let storage: Storage

    public func nodes(in place: Place) -> [Node] {
        switch storage {
        case .first(let content): content.nodes(in: place.child("first"))
        case .second(let content): content.nodes(in: place.child("second"))
        }
    }
}
