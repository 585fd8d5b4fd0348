"""What a folder shares with a team: joining, the exchange beside the turns, export and import.

Loaded where a folder has joined a team or a command of it runs; psycopg, an extra, by this alone.
"""
