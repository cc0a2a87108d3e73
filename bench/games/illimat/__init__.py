"""How Illimat answers."""
