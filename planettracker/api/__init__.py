"""The HTTP contract, said once for every framework: neutral request in, neutral response out."""
