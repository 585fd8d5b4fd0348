"""What machines exchange with a project in a shared PostgreSQL: operations, news, sessions."""
