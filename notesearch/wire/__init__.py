"""What programs are given, with the same names by command line, MCP and HTTP."""
