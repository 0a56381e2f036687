"""What secrets and personal numbers look like; each module knows one family."""
