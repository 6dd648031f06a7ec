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

    /// Cancels the task on another thread, because `cancel` blocks here while the task waits for the next bytes of a body.
    func end() {
        DispatchQueue.global().async { self.cancel() }
    }
}
#endif
