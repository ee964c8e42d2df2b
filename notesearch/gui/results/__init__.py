"""The list of results: its rows, model, view and delegate."""
