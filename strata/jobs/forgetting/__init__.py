"""Forgetting: what the owner wants gone leaves every place, and is known if it returns."""
