"""An event of the gateway arrives."""
