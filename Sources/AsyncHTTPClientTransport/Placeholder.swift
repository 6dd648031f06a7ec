enum PlaceholderAsyncHTTPClientTransport {}
