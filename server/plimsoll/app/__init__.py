"""The wiring: settings become models, stores and tools, and these become open projects."""
