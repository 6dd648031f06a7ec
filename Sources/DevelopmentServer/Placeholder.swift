enum PlaceholderDevelopmentServer {}
