"""Parts that both windows are made of: look, icons, fields, popovers, pages."""
