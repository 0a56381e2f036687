"""What people state: found in talk, resolved, and compared with each other."""
