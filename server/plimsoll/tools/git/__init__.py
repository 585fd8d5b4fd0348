"""The git repository of a folder is read here, by git, which runs nothing that the folder names."""
