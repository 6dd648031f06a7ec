// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "AuthHub", path: ".."),  // in your own package: .package(url: "…/AuthHub.git", branch: "main")
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
    ],
    targets: [
        .example("SixLines", uses: ["AuthHub"]),
        .example("RepositoryList", uses: ["AuthHub", "GitHubAPI"]),
        .example("DeviceFlow", uses: ["AuthHub"]),
        .example("TwoAccounts", uses: ["AuthHub"]),
        .example("ClientCredentials", uses: ["AuthHub"]),
        .example("ModelContextClient", uses: ["AuthHub", "HTTPTypes"]),
        .example("OwnLoader", uses: ["AsyncHTTPClientTransport", "HTTPLoading", "HTTPTypes"]),
        .example(
            "LoaderChain", uses: ["AsyncHTTPClientTransport", "AuthHub", "AuthHubTesting", "HTTPTypes"], exclude: ["try", "nginx.conf"]),
        .example("PeerTransport", uses: ["AuthHubTesting", "HTTPLoading", "HTTPTypes"]),
    ],
    swiftLanguageModes: [.v6])

extension Target {
    static func example(_ name: String, uses libraries: [String], exclude: [String] = []) -> Target {
        .executableTarget(
            name: name,
            dependencies: libraries.map { .product(name: $0, package: $0 == "HTTPTypes" ? "swift-http-types" : "AuthHub") },
            path: name,
            exclude: ["expected.txt"] + exclude,
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)])
    }
}
