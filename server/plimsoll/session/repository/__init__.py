"""What is changed in the folder's git repository: beside a prompt, or in words for a commit."""
