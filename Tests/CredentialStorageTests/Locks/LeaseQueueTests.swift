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

    @Test func `the lease goes round in the order of asking`() {
        var queue = queueOfThree()
        #expect(queue.holder == first)
        #expect(queue.release(first) == second)
        #expect(queue.release(second) == third)
        #expect(queue.release(third) == nil)
        #expect(queue.holder == nil)
    }

    @Test func `one who gives up is passed over`() {
        var queue = queueOfThree()
        queue.giveUp(second)
        #expect(!queue.isWaiting(second))
        #expect(queue.release(first) == third)
    }

    @Test func `one who holds the lease keeps it when it gives up too late`() {
        var queue = queueOfThree()
        queue.giveUp(first)
        #expect(queue.holder == first)
    }

    @Test func `a lease is released by its holder alone`() {
        var queue = queueOfThree()
        #expect(queue.release(second) == nil)
        #expect(queue.holder == first)
        #expect(queue.isWaiting(second))
    }
}
