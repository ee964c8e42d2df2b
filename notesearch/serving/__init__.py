"""Programs that ask for notes: an MCP server and an HTTP API."""
