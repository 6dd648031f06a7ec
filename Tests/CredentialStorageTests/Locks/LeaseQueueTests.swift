@testable import CredentialStorage
import Testing

struct LeaseQueueTests {
    private let first = LeaseQueue.Ticket(number: 1)
    private let second = LeaseQueue.Ticket(number: 2)
    private let third = LeaseQueue.Ticket(number: 3)

    private func queueOfThree() -> LeaseQueue {
        var queue = LeaseQueue()
        for ticket in [first, second, third] { queue.enter(ticket) }
        return queue
    }

    @Test func `grants the lease in order of request`() {
        var queue = queueOfThree()
        #expect(queue.holder == first)
        #expect(queue.release(first) == second)
        #expect(queue.release(second) == third)
        #expect(queue.release(third) == nil)
        #expect(queue.holder == nil)
    }

    @Test func `skips a caller that gives up`() {
        var queue = queueOfThree()
        queue.giveUp(second)
        #expect(!queue.isWaiting(second))
        #expect(queue.release(first) == third)
    }

    @Test func `a caller that gives up too late keeps the lease`() {
        var queue = queueOfThree()
        queue.giveUp(first)
        #expect(queue.holder == first)
    }

    @Test func `only its holder can release a lease`() {
        var queue = queueOfThree()
        #expect(queue.release(second) == nil)
        #expect(queue.holder == first)
        #expect(queue.isWaiting(second))
    }
}
