"""Structure to HTML: ``section_html`` is the way in."""
