"""Serves a vault to programs: to agents over MCP, to scripts over HTTP."""
