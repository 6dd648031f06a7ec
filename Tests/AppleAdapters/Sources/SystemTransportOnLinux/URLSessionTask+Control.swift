import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionTask {
    /// Records what the adapter requests. FoundationNetworking cannot do it: it closes the connection of a suspended task, and sends the
    /// whole request again when the task is resumed.
    func hold(_ isHeld: Bool) {
        taskDescription = (taskDescription ?? "") + (isHeld ? "suspended " : "resumed ")
    }

    func end() {
        aside { self.cancel() }
    }
}

extension URLSession {
    static func performing<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in aside { continuation.resume(returning: call()) } }
    }
}

/// Runs a call on its own thread: here, all calls of a session block while one of its tasks waits for the next bytes of a body. On the
/// threads that tasks of the program share, they would also prevent those bytes from being produced.
private func aside(_ call: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "a call of URLSession").async(execute: call)
}
#endif
