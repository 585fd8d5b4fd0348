"""The connection: reads and writes its bytes, cuts them into messages, parses their JSON."""
