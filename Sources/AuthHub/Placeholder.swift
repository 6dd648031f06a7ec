enum PlaceholderAuthHub {}
