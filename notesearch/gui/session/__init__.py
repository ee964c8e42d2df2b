"""The open vault: its threads, and the search pane that both windows share."""
