#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A replacement for `Synchronization.Mutex` under the thread sanitizer, which does not understand that type's waiting and reports every
/// contended lock as a race. It does understand locks of the C library.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // all access is under the lock
    private let storage: Storage<Value>

    public init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.lock)
        defer { pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value.pointee)
    }
}

private final class Storage<Value: ~Copyable> {
    let value: UnsafeMutablePointer<Value>
    let lock: UnsafeMutablePointer<pthread_mutex_t>

    init(_ value: consuming Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }
}
