"""What a person allowed for good in the folder, kept with their own data, never in the folder."""
