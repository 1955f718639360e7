"""Where the Sun, the Moon and the planets are: a library, and a service on several web stacks."""
