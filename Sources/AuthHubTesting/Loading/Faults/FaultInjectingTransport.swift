public import HTTPLoading
import Synchronization

/// A transport that sends requests through another transport, and injects ``Fault``s on the way.
///
/// ```swift
/// let transport = FaultInjectingTransport(server, clock: LoadClock(clock), [Fault(.failure(.connectionLost), call: 1)])
/// ```
///
/// If several faults apply to a request, they take effect in order, up to the first fault that prevents the request from being sent. Random
/// choices depend on the seed: on every system, the same requests in the same order get the same faults.
public final class FaultInjectingTransport: Transport {
    private struct State {
        var generator: SeededGenerator
        var counts: [Int]
        var injected = 0
    }

    private let transport: any Transport
    private let clock: LoadClock
    private let faults: [Fault]
    private let state: Mutex<State>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - clock: The clock for delays.
    ///   - seed: The seed for random choices.
    public init(_ transport: any Transport, clock: LoadClock = .continuous, seed: UInt64 = 0, _ faults: [Fault]) {
        self.transport = transport
        self.clock = clock
        self.faults = faults
        state = Mutex(State(generator: SeededGenerator(seed: seed), counts: Array(repeating: 0, count: faults.count)))
    }

    /// The number of faults that were injected so far.
    package var injectedFaults: Int { state.withLock(\.injected) }

    /// Sends a request through the other transport, with the faults that apply to the request.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let effects = dueEffects(for: request)
        for effect in effects {
            switch effect {
            case .delay(let duration): try await pause(duration, request)
            case .failure(let code): throw LoadError(code, for: request, explanation: "as injected by the test")
            case .answer(let answer): return try await answer.respond(request)
            case .lostAfterSending, .lost, .slow: break
            }
        }
        var response = try await transport.send(request)
        for effect in effects {
            switch effect {
            case .lostAfterSending:
                response.body.cancel()
                throw LoadError(.connectionLost, for: request, explanation: "as injected by the test")
            case .lost(let count): response.body = response.body.breakingOff(after: count)
            case .slow(let size, let pause): response.body = response.body.slowed(to: max(size, 1), every: pause, by: clock)
            case .delay, .failure, .answer: break
            }
        }
        return response
    }

    /// Shuts down the other transport.
    public func shutdown() async {
        await transport.shutdown()
    }

    private func dueEffects(for request: LoadRequest) -> [Fault.Effect] {
        let matching = faults.map { $0.matcher.matches(request) }
        return state.withLock { state in
            var effects: [Fault.Effect] = []
            for (index, fault) in faults.enumerated() where matching[index] {
                state.counts[index] += 1
                guard fault.calls?.contains(state.counts[index]) ?? true,
                    fault.chance >= 1 || Double.random(in: 0..<1, using: &state.generator) < fault.chance
                else { continue }
                effects.append(fault.effect)
            }
            state.injected += effects.count
            return effects
        }
    }

    private func pause(_ duration: Duration, _ request: LoadRequest) async throws(LoadError) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw LoadError(.cancelled, for: request)
        }
    }
}

extension ResponseBody {
    fileprivate func breakingOff(after count: Int) -> ResponseBody {
        let left = Mutex(count)
        return wrapped { read async throws(LoadError) in
            let allowed = left.withLock(\.self)
            guard allowed > 0, let chunk = try await read() else {
                self.cancel()
                throw LoadError(.connectionLost, explanation: "as injected by the test")
            }
            left.withLock { $0 -= chunk.count }
            return chunk.prefix(allowed)
        }
    }

    fileprivate func slowed(to size: Int, every pause: Duration, by clock: LoadClock) -> ResponseBody {
        let rest = Mutex(ArraySlice<UInt8>())
        return wrapped { read async throws(LoadError) in
            do {
                try await clock.sleep(for: pause)
            } catch {
                throw LoadError(.cancelled)
            }
            if rest.withLock(\.isEmpty) {
                guard let chunk = try await read() else { return nil }
                rest.withLock { $0 = chunk }
            }
            return rest.withLock { rest in
                defer { rest = rest.dropFirst(size) }
                return rest.prefix(size)
            }
        }
    }
}
