"""What commands made of protected names: a person is asked once whether it is kept."""
