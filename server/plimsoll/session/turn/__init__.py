"""One turn: the loop, the request, the model's answer, and its tool calls behind their gates."""
