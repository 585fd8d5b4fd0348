"""The ports to folders of their own, in which agents work apart from the person's."""
