/// A value in an object of its own: small to hand on, and copied only where it is changed while somebody else has it, too.
///
/// For the messages of a load, since every function of a chain that handles one keeps room for it.
struct CopyOnWrite<Value: Sendable>: Sendable {
    private final class Storage: @unchecked Sendable {  // changed only by the one that has it for itself
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    var value: Value {
        get { storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
