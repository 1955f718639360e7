"""The service's answers in a terminal: the api asked without a server, and read as tables."""
