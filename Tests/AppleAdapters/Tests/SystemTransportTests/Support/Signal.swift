/// An event that happens once and can be awaited.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func fire() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}

/// Returns once the task is cancelled.
func untilCancelled() async {
    let signal = Signal()
    await withTaskCancellationHandler {
        await signal.wait()
    } onCancel: {
        signal.fire()
    }
}
