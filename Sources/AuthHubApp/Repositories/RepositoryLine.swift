public import GitHubAPI

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The texts that a row of the list shows of a repository. They depend on the time: make them anew when they are shown.
public struct RepositoryLine: Sendable, Hashable {
    /// Owner and name.
    public let name: String
    /// What it is about; nil where nothing is said.
    public let about: String?
    /// "Private"; nil for a public one. A mark beside the name shows it.
    public let visibility: String?
    public let language: String?
    /// How many people starred it, in few characters: "1.2k"; nil for none.
    public let stars: String?
    /// "pushed 3 hours ago", "no pushes yet".
    public let lastPush: String
    /// The same for those who listen: "Private, Swift, 1234 stars, pushed 3 hours ago".
    public let spoken: String

    /// - Parameter now: What the time of the last push is compared with.
    public init(_ repository: Repository, now: Date) {
        name = repository.fullName
        about = repository.about.flatMap { $0.isEmpty ? nil : $0 }
        visibility = repository.isPrivate ? "Private" : nil
        language = repository.language
        stars = repository.stars > 0 ? Self.compact(repository.stars) : nil
        lastPush = repository.pushedAt.map { "pushed \(Self.age(of: $0, at: now))" } ?? "no pushes yet"
        let starCount = repository.stars > 0 ? Self.counted(repository.stars, "star") : nil
        spoken = [visibility, language, starCount, lastPush].compactMap { $0 }.joined(separator: ", ")
    }

    /// What stands below, in one line: "Swift · ★ 1.2k · pushed 3 hours ago".
    public var details: String {
        [language, stars.map { "★ \($0)" }, lastPush].compactMap { $0 }.joined(separator: " · ")
    }
}

extension RepositoryLine {
    /// "237 repositories", "No repositories", for the end of the list.
    public static func count(_ count: Int) -> String {
        switch count {
        case 0: "No repositories"
        case 1: "1 repository"
        default: "\(count) repositories"
        }
    }

    /// Cut, not rounded: 999 999 are not a million yet.
    static func compact(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count)"
        case ..<1_000_000: tenths(count / 100) + "k"
        default: tenths(count / 100_000) + "M"
        }
    }

    /// Clocks differ: what lies in the future was just now.
    static func age(of date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        guard seconds >= 60 else { return "just now" }
        let days = Int64(min(seconds / 86_400, 1_000_000))
        return switch seconds {
        case ..<3600: counted(Int64(seconds / 60), "minute") + " ago"
        case ..<86_400: counted(Int64(seconds / 3600), "hour") + " ago"
        default:
            switch days {
            case ..<30: counted(days, "day") + " ago"
            case ..<365: counted(max(1, days * 12 / 365), "month") + " ago"
            default: counted(days / 365, "year") + " ago"
            }
        }
    }

    private static func tenths(_ tenths: Int64) -> String {
        tenths >= 100 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func counted(_ count: Int64, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
