import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionTask {
    /// Notes what the adapter asks for. FoundationNetworking cannot do it: it closes the connection of a task that is suspended, and sends
    /// the whole request again when that is resumed.
    func hold(_ isHeld: Bool) {
        taskDescription = (taskDescription ?? "") + (isHeld ? "suspended " : "resumed ")
    }

    /// On another thread: `cancel` waits here while the task waits for the next bytes of a body.
    func end() {
        DispatchQueue.global().async { self.cancel() }
    }
}
#endif
