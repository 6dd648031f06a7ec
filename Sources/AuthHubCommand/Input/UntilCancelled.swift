import Dispatch

/// Runs a function that blocks a thread until there is input. Cancelling the task sets the flag, and the function then returns soon.
func untilCancelled<Value: Sendable>(_ read: @escaping @Sendable (CancellationFlag) -> Value) async -> Value {
    let cancellation = CancellationFlag()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "input").async { continuation.resume(returning: read(cancellation)) }
        }
    } onCancel: {
        cancellation.set()
    }
}
