"""The list of results: model, view, delegate, and the way from a query to it."""
