enum PlaceholderAuthHubTesting {}
