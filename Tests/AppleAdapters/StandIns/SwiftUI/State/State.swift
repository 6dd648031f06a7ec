@propertyWrapper
public struct State<Value> {
    private let box: StateBox<Value>

    public init(wrappedValue: Value) {
        box = StateBox(StateSlot(wrappedValue))
    }

    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    public var wrappedValue: Value {
        get { box.slot.value }
        nonmutating set { box.slot.value = newValue }
    }

    public var projectedValue: Binding<Value> {
        Binding {
            box.slot.value
        } set: {
            box.slot.value = $0
        }
    }
}

extension State: PlacedProperty {
    func place(at place: Place) {
        box.slot = place.stage.slot(at: place.path, or: box.slot)
    }
}

/// Storage for one value of a view. When the view is shown, the value moves to the slot for the view's place.
final class StateBox<Value> {
    var slot: StateSlot<Value>

    init(_ slot: StateSlot<Value>) {
        self.slot = slot
    }
}

final class StateSlot<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
