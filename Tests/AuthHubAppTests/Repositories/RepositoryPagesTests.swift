import AuthHub
import AuthHubPrimitives
import GitHubAPI
import HTTPLoading
import HTTPTypes
import Testing

@testable import AuthHubApp

@MainActor @Suite(.timeLimit(.minutes(15)))
struct RepositoryPagesTests {
    private static let path = "/user/repos"

    private func names(_ list: RepositoriesModel) -> [String] { list.repositories.map(\.fullName) }

    private func more(_ list: RepositoriesModel) async {
        list.loadMore()
        await until { list.activity == nil }
    }

    @Test func `reads all pages, one at a time, and none after the last`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        #expect(list.repositories.count == 50 && !list.isComplete)
        for _ in 0..<10 { list.loadMore() }
        #expect(list.activity == .loadingMore)
        await until { list.activity == nil }
        #expect(list.repositories.count == 100 && bench.services.count(Self.path) == 2)
        await more(list)
        #expect(list.repositories.count == 120 && list.isComplete)
        for _ in 0..<3 { await more(list) }
        #expect(bench.services.count(Self.path) == 3)
        #expect(names(list) == (0..<120).map { "octocat/r\($0)" })
    }

    @Test func `lists another selection from its first page to its last, and nothing of the one before`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        await more(list)
        list.select(.owned)
        #expect(list.selection == .owned && list.repositories.isEmpty && !list.isComplete)
        await until { list.activity == nil }
        await more(list)
        #expect(list.repositories.count == 60 && list.isComplete)
        await list.refresh()
        #expect(list.repositories.count == 50, "a refresh keeps the selection")
        await more(list)
        #expect(list.repositories.count == 60 && list.isComplete)
        list.select(.all)
        await until { list.activity == nil }
        #expect(list.repositories.count == 50 && !list.isComplete)
    }

    @Test func `ignores a late page of the previous selection`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        let door = Door()
        bench.services.next(at: Self.path, .answersLate(door))
        list.loadMore()
        await bench.services.untilAsked(Self.path, 2)
        list.select(.owned)
        door.open()
        await until { list.activity == nil && !list.repositories.isEmpty }
        #expect(names(list) == (0..<50).map { "octocat/r\($0)" })
    }

    @Test func `does not reload the selection that is shown`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        list.select(.all)
        #expect(list.activity == nil && list.repositories.count == 50)
    }

    @Test func `a user without repositories does not wait forever`() async throws {
        let bench = Bench()
        bench.services.configure { $0.repositoryCount = 0 }
        let list = try await bench.listed()
        #expect(list.isComplete && list.repositories.isEmpty && list.problem == nil)
    }

    @Test func `lists a repository once if it is on several pages, or twice on one`() async throws {
        let bench = Bench()
        let second = "https://api.github.com/user/repos?page=2"
        bench.services.next(
            at: Self.path, .answer(200, FakeServices.page(of: "octocat", [1, 2, 2, 3]), FakeServices.link(to: second)),
            .answer(200, FakeServices.page(of: "octocat", [3, 4, 1])))
        let list = try await bench.listed()
        await more(list)
        #expect(names(list) == ["octocat/r1", "octocat/r2", "octocat/r3", "octocat/r4"])
        #expect(list.isComplete)
    }

    struct Circle: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pages: [[Int]]
        let requests: Int
    }

    @Test(arguments: [
        Circle(testDescription: "a page that links to itself", pages: [[1, 2]], requests: 2),
        Circle(testDescription: "a loop of two pages", pages: [[1, 2], [3]], requests: 3),
        Circle(testDescription: "empty pages forever", pages: [[]], requests: 1),
    ])
    func `detects links that form a loop`(row: Circle) async throws {
        let bench = Bench()
        let next = FakeServices.link(to: "https://api.github.com/user/repos?page=2")
        for number in 0..<10 {
            bench.services.next(at: Self.path, .answer(200, FakeServices.page(of: "octocat", row.pages[number % row.pages.count]), next))
        }
        let list = try await bench.listed()
        while !list.isComplete, !Task.isCancelled { await more(list) }
        await more(list)
        #expect(bench.services.count(Self.path) == row.requests)
        #expect(list.repositories.count == row.pages.joined().count)
    }

    @Test func `a page that fails keeps the rows, is not retried by scrolling, and a retry continues there`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        bench.services.next(at: Self.path, .failure(.connectionLost))
        await more(list)
        #expect(
            list.problem
                == AppProblem(
                    "GitHub cannot be reached.", advice: "You are still signed in. Check the network, then try again.", remedy: .tryAgain))
        #expect(list.repositories.count == 50)
        for _ in 0..<3 { await more(list) }
        #expect(bench.services.count(Self.path) == 2)
        await list.tryAgain()
        #expect(list.problem == nil && list.activity == nil)
        #expect(names(list) == (0..<100).map { "octocat/r\($0)" })
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fate: FakeServices.Fate
        let text: String
        let advice: String
    }

    @Test(arguments: [
        Refusal(
            testDescription: "rate limited", fate: .answer(403, ["message": "secondary limit"], [.retryAfter: "61"]),
            text: "GitHub received too many requests.", advice: "Try again in 61 seconds."),
        Refusal(
            testDescription: "rate limited, for an hour", fate: .answer(429, [:], [.retryAfter: "3541"]),
            text: "GitHub received too many requests.", advice: "Try again in 60 minutes."),
        Refusal(
            testDescription: "rate limited, for a second", fate: .answer(429, [:], [.retryAfter: "1"]),
            text: "GitHub received too many requests.", advice: "Try again in 1 second."),
        Refusal(
            testDescription: "rate limited, for an unknown time", fate: .answer(429),
            text: "GitHub received too many requests.", advice: "Try again in a few minutes."),
        Refusal(
            testDescription: "forbidden", fate: .answer(403, ["message": "Resource not accessible by integration"]),
            text: "GitHub does not let the app see this.",
            advice: "Expected a list of repositories, but GitHub responded 403: Resource not accessible by integration."
                + " Ask for access there, then try again."),
        Refusal(
            testDescription: "server error", fate: .answer(502, [:]), text: "GitHub sent an unusable response.",
            advice: "Expected a list of repositories, but GitHub responded 502. Try again later."),
        Refusal(
            testDescription: "not a list", fate: .answer(200, ["message": "?"]), text: "GitHub sent an unusable response.",
            advice: "GitHub did not respond with a list of repositories. Try again later."),
    ])
    func `shows the service's errors with what to do`(row: Refusal) async throws {
        let bench = Bench()
        bench.services.next(at: Self.path, row.fate)
        let list = try await bench.listed()
        #expect(list.problem == AppProblem(row.text, advice: row.advice, remedy: .tryAgain))
        await list.tryAgain()
        #expect(list.problem == nil && list.repositories.count == 50)
    }

    @Test func `a refresh shows the old list until the first page has arrived, and starts again`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        await more(list)
        let door = Door()
        bench.services.configure { $0.repositoryCount = 60 }
        bench.services.next(at: Self.path, .waits(door))
        let refresh = Task { await list.refresh() }
        await door.untilReached()
        #expect(list.activity == .refreshing && list.repositories.count == 100)
        list.loadMore()
        #expect(list.activity == .refreshing)
        let second = Task { await list.refresh() }
        door.open()
        await refresh.value
        await second.value
        #expect(list.repositories.count == 50 && !list.isComplete)
        #expect(bench.services.count(Self.path) == 3)
        await more(list)
        #expect(list.repositories.count == 60 && list.isComplete)
    }

    @Test func `a refresh cancels a page that is loading, and ignores it`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        let door = Door()
        bench.services.next(at: Self.path, .answersLate(door))
        list.loadMore()
        await door.untilReached()
        await list.refresh()
        #expect(list.repositories.count == 50 && list.activity == nil)
        door.open()
        await more(list)
        #expect(names(list) == (0..<100).map { "octocat/r\($0)" })
    }

    @Test func `a refresh that fails keeps the list, and a retry refreshes`() async throws {
        let bench = Bench()
        let list = try await bench.listed()
        await more(list)
        bench.services.next(at: Self.path, .failure(.timedOut))
        await list.refresh()
        #expect(list.repositories.count == 100 && list.problem?.remedy == .tryAgain)
        bench.services.configure { $0.repositoryCount = 7 }
        await list.tryAgain()
        #expect(list.repositories.count == 7 && list.isComplete && list.problem == nil)
    }
}
