"""Values of the session and the context in the form in which they cross the wire, and back."""
