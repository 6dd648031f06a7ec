import Synchronization

/// A value behind a lock, for static and global variables.
///
/// Do not use a plain `Mutex` there: optimized builds of Swift 6.3 write static variables into the program as data, and leave out the value
/// of a `Mutex` if it is larger than a few words, so that it starts as zeros. In an object, the value is initialized at run time.
package final class StaticMutex<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ initialValue: Value) {
        mutex = Mutex(initialValue)
    }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { body(&$0) }
    }
}
