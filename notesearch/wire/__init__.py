"""The JSON that programs get, with the same names from the command line, MCP and HTTP."""
