"""The editor's front door: a language server, from bytes (`transport`) to answers (`features`)."""
