"""The pure core: what the model holds, and how it is made lighter; standard library only."""
