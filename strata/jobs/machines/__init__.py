"""Several machines that come to one memory."""
