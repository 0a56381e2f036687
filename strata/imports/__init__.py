"""What other tools kept is read: conversations, and what they made of them."""
