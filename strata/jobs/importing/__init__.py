"""What another tool kept comes into memory: talks as talks, all else as what it is."""
