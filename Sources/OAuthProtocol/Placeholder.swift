enum PlaceholderOAuthProtocol {}
