"""The store of a project in a PostgreSQL that several people or machines share."""
