"""The windows: the only package that imports Qt."""
