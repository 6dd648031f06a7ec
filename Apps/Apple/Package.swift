// swift-tools-version: 6.2

// The app for macOS and iOS. Open this file in Xcode; README.md lists the other requirements of an app.
import PackageDescription

let package = Package(
    name: "AuthHubApple",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "AuthHubViews", targets: ["AuthHubViews"]),
        .executable(name: "AuthHubAppleApp", targets: ["AuthHubAppleApp"]),
    ],
    dependencies: [
        // Without AsyncHTTPClient, because Apple's systems have URLSession.
        .package(name: "AuthHub", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "AuthHubViews",
            dependencies: [
                .product(name: "AniListAPI", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
                .product(name: "GitHubAPI", package: "AuthHub"),
            ]),
        .executableTarget(
            name: "AuthHubAppleApp",
            dependencies: [
                "AuthHubViews",
                .product(name: "AuthHub", package: "AuthHub"),
                .product(name: "AuthHubApp", package: "AuthHub"),
            ]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? [])
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) }
}
