"""A question finds its passages, in an order, or is told that there is no answer."""
