"""How a request is rendered so that a server takes it: valid by itself, mended where refused."""
