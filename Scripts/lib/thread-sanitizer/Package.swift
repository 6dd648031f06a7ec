// swift-tools-version: 6.2

// The manifest of the small package that Scripts/thread-sanitizer creates: the loaders and their tests, without the network.
import PackageDescription

let loading: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
    .product(name: "Tracing", package: "swift-distributed-tracing"),
]

let package = Package(
    name: "ThreadSanitizer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    ],
    targets: [
        .target(name: "VisibleLocks"),
        .target(name: "Platform"),
        .target(name: "AuthHubPrimitives", dependencies: ["Platform", "VisibleLocks"]),
        .target(name: "HTTPLoading", dependencies: ["AuthHubPrimitives", "Platform", "VisibleLocks"] + loading),
        .target(name: "AuthHubTesting", dependencies: ["AuthHubPrimitives", "HTTPLoading", "Platform", "VisibleLocks"] + loading),
        .testTarget(
            name: "HTTPLoadingTests",
            dependencies: ["AuthHubPrimitives", "AuthHubTesting", "HTTPLoading", "Platform", "VisibleLocks"] + loading + [
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
    ],
    swiftLanguageModes: [.v6])

// The replacement for the standard library's lock does things that the language forbids, like the original.
for target in package.targets where target.name == "VisibleLocks" {
    target.swiftSettings = [.swiftLanguageMode(.v5)]
}
for target in package.targets where target.name != "VisibleLocks" {
    target.swiftSettings = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
}
