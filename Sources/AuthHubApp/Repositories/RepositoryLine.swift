public import GitHubAPI
public import Platform

/// The strings in a row of the repository list. They depend on the current time, so create them again whenever the row is shown.
public struct RepositoryLine: Sendable, Hashable {
    /// The owner and name.
    public let name: String
    /// The description; nil if there is none.
    public let about: String?
    /// "Private" for a private repository; nil for a public one. Show it as a badge next to the name.
    public let visibility: String?
    /// The main programming language; nil if there is none.
    public let language: String?
    /// The number of stars in short form, such as "1.2k"; nil if there are none.
    public let stars: String?
    /// The time of the last push: "pushed 3 hours ago", "nothing pushed yet".
    package let lastPush: String
    /// The details for screen readers, such as "Private, Swift, 1234 stars, pushed 3 hours ago".
    public let spoken: String

    /// Creates the strings for a repository.
    ///
    /// - Parameter now: The current time, which is used to describe the last push.
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

    /// The line below the name, such as "Swift · ★ 1.2k · pushed 3 hours ago".
    public var details: String {
        [language, stars.map { "★ \($0)" }, lastPush].compactMap { $0 }.joined(separator: " · ")
    }
}

extension RepositoryLine {
    /// Returns the text at the end of the list, such as "237 repositories" or "No repositories".
    public static func count(_ count: Int) -> String {
        switch count {
        case 0: "No repositories"
        case 1: "1 repository"
        default: "\(count) repositories"
        }
    }

    /// Truncates instead of rounding: 999,999 is not yet a million.
    static func compact(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count)"
        case ..<1_000_000: tenths(count / 100) + "k"
        default: tenths(count / 100_000) + "M"
        }
    }

    /// Clocks differ, so a date in the future counts as just now.
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
