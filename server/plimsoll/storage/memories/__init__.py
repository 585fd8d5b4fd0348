"""The memories of a project as rows of its database."""
