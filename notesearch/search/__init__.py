"""The read path: a query to ranked, grouped results."""
