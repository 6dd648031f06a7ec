import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct LeavingSharedLoadTests {
    @Test func `case 30: cancelling the first request does not affect the others`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(10, on: chain, loader)
        await transport.untilSent(1)
        loads[0].cancel()
        #expect(await loads[0].value.code == .cancelled)
        #expect(loader.callerCount == 9)
        transport.release()
        for load in loads.dropFirst() { #expect(try await load.value.get() == Array("held".utf8)) }
        #expect(transport.requests.count == 1)
        #expect(transport.cancelled == 0)
    }

    @Test func `case 31: a cancelled request leaves at once, and the last to leave ends the coalesced request`() async throws {
        let transport = HoldingTransport()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(10, on: chain, loader)
        await transport.untilSent(1)
        for (index, load) in loads.enumerated().reversed() {
            load.cancel()
            #expect(await load.value.code == .cancelled)
            #expect(loader.callerCount == index)
        }
        #expect(loader.loadCount == 0)
        await until { transport.running == 0 }
        #expect(transport.cancelled == 1)
        let again = chain.begin(try SharedLoads.get())
        await transport.untilSent(2)
        transport.release()
        #expect(await again.value.code == nil)
    }

    @Test func `case 31: a coalesced request that fails before it is sent fails all, each as its own request, and leaves nothing behind`()
        async throws
    {
        struct Failing: Loader {
            let isOpen: Signal
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                await isOpen.wait()
                throw LoadError(.notAuthorized, for: request, explanation: "no one is signed in")
            }
        }
        let isOpen = Signal()
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: ScriptedTransport([]), [loader, Failing(isOpen: isOpen)])
        let requests = try (0..<20).map { _ in try SharedLoads.get() }
        let loads = requests.map { chain.begin($0) }
        await until { loader.callerCount == 20 }
        isOpen.fire()
        for (request, load) in zip(requests, loads) {
            guard case .failure(let error) = await load.value else {
                Issue.record("a load that was never sent came to something")
                continue
            }
            #expect(error.code == .notAuthorized)
            #expect(error.request == request.id)
            #expect(error.origin?.host == "example.com")
        }
        #expect(loader.loadCount == 0)
    }

    @Test func `case 31: a cancellation that races with the response completes every request once, and leaves nothing behind`() async throws
    {
        let transport = RoutedTransport([
            (
                .any,
                ScriptedAnswer { _ throws(LoadError) in
                    await Task.yield()
                    return LoadResponse(HTTPResponse(status: .ok), body: .bytes([1]))
                }
            )
        ])
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        var generator = SeededGenerator(seed: 3)
        var outcomes: [LoadError.Code?: Int] = [:]
        for _ in 0..<1_500 {
            let loads = try (0..<3).map { _ in chain.begin(try SharedLoads.get()) }
            for _ in 0..<Int.random(in: 0..<4, using: &generator) { await Task.yield() }
            loads[Int.random(in: 0..<3, using: &generator)].cancel()
            for load in loads { outcomes[await load.value.code, default: 0] += 1 }
            guard loader.loadCount == 0 else {
                Issue.record("a load stayed behind")
                return
            }
        }
        #expect(Set(outcomes.keys).isSubset(of: [nil, .cancelled]))
        #expect(outcomes[nil, default: 0] >= 3_000)
    }

    @Test func `the last request that leaves while the body is read ends the body`() async throws {
        let hasEnded = Signal()
        let isReading = Signal()
        let transport = HoldingTransport { _ throws(LoadError) in
            let waiter = Waiter<Void>()
            let body = ResponseBody(cancel: { waiter.settle(()) }) { () async throws(LoadError) in
                isReading.fire()
                await waiter.wait(orIfCancelled: ())
                return nil
            }
            body.whenEnded { hasEnded.fire() }
            return LoadResponse(HTTPResponse(status: .ok), body: body)
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let loads = try await SharedLoads.begin(2, on: chain, loader)
        transport.release()
        await isReading.wait()
        for load in loads {
            load.cancel()
            #expect(await load.value.code == .cancelled)
        }
        await hasEnded.wait()
        #expect(loader.loadCount == 0)
    }

    @Test func `a reset ends coalesced requests, and later requests get nothing from before`() async throws {
        let answers = Mutex(0)
        let transport = HoldingTransport(isStubborn: true) { _ throws(LoadError) in
            let number = answers.withLock { answers in
                answers += 1
                return answers
            }
            return LoadResponse(HTTPResponse(status: .ok), body: .bytes([UInt8(number)]))
        }
        let loader = DeduplicateLoader()
        let chain = try Chain(transport: transport, [loader])
        let old = try await SharedLoads.begin(10, on: chain, loader)
        await transport.untilSent(1)
        let report = await chain.reset()
        #expect(report.failures.isEmpty)
        for load in old { #expect(await load.value.code == .cancelled) }
        #expect(loader.loadCount == 0)
        let new = try await SharedLoads.begin(2, on: chain, loader)
        await transport.untilSent(2)
        // The request from before the reset, which ignores its cancellation, ends first. This must not matter.
        transport.release()
        await until { transport.running == 1 }
        #expect(loader.callerCount == 2)
        transport.release()
        for load in new { #expect(try await load.value.get() == [2]) }
        #expect(loader.loadCount == 0)
    }
}
