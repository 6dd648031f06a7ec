// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "AuthHub", path: ".."),  // in your own package: .package(url: "…/AuthHub.git", branch: "main")
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    ],
    targets: [
        .example("SixLines", uses: ["AuthHub"]),
        .example("RepositoryList", uses: ["AuthHub", "GitHubAPI"]),
        .example("DeviceFlow", uses: ["AuthHub"]),
        .example("TwoAccounts", uses: ["AuthHub"]),
        .example("ClientCredentials", uses: ["AuthHub"]),
        .example("WebServer", uses: ["AuthHub", "Crypto", "Hummingbird"]),
        .example("ProtectedAPI", uses: ["AuthHub", "Hummingbird"]),
        .example("ModelContextClient", uses: ["AuthHub", "HTTPTypes"]),
        .example("OwnLoader", uses: ["AsyncHTTPClientTransport", "HTTPLoading", "HTTPTypes"]),
        .example(
            "LoaderChain", uses: ["AsyncHTTPClientTransport", "AuthHub", "AuthHubTesting", "HTTPTypes"], exclude: ["try", "nginx.conf"]),
        .example("PeerTransport", uses: ["AuthHubTesting", "HTTPLoading", "HTTPTypes"]),
    ],
    swiftLanguageModes: [.v6])

extension Target {
    /// The packages of libraries other than AuthHub's.
    private static let packages = ["Crypto": "swift-crypto", "HTTPTypes": "swift-http-types", "Hummingbird": "hummingbird"]

    static func example(_ name: String, uses libraries: [String], exclude: [String] = []) -> Target {
        .executableTarget(
            name: name,
            dependencies: libraries.map { .product(name: $0, package: packages[$0] ?? "AuthHub") },
            path: name,
            exclude: ["expected.txt"] + exclude,
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error)])
    }
}
