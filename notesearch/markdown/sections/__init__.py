"""Text to structure: a note's sections, properties, links, tags and passages."""
