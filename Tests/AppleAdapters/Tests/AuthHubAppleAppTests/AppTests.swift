import Testing

/// All of them share the one `UIApplication` of the process, so they run one after the other.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum AppTests {}
