"""The read path: turns a query into ranked, grouped results."""
