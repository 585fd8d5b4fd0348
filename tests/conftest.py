pytest_plugins = ["recordings.plugin"]
