"""Where vectors and their points live, whichever engine keeps them."""
