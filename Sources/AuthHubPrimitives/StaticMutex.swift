import Synchronization

/// A value behind a lock, for static and global variables.
///
/// There, a `Mutex` must not stand by itself: optimized builds of Swift 6.3 write static variables into the program as data and, of a `Mutex`
/// whose value is larger than a few words, leave the value out, so that it begins as zeros. In an object it is initialized at run time.
package final class StaticMutex<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ initialValue: Value) {
        mutex = Mutex(initialValue)
    }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
