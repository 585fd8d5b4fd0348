"""Telemetry of the process: spans, counts and a log, without anybody's text."""
