enum PlaceholderGitHubAPI {}
