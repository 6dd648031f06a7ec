import Testing

/// The tests run one after the other, because they share the single `UIApplication` of the process.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum AppTests {}
