import Synchronization

/// An object that a key set and its copies keep for those who use the keys. It does not make key sets different.
final class KeySetMemory: Sendable, Hashable {
    typealias Object = any AnyObject & Sendable

    // Set at most once. An AtomicLazyReference would be the same, and takes 60 times as many instructions to read.
    private let reference = Atomic<Unmanaged<Object>?>(nil)

    deinit { reference.load(ordering: .acquiring)?.release() }

    /// The object; nil if there is none yet.
    var object: Object? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Keeps an object, unless there is one already.
    func keep(_ object: @autoclosure () -> Object) {
        guard reference.load(ordering: .relaxed) == nil else { return }
        let new = Unmanaged<Object>.passRetained(object())
        if !reference.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing).exchanged { new.release() }
    }

    static func == (left: KeySetMemory, right: KeySetMemory) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
