"""One open vault: its threads, its requests and answers, the settings in force."""
