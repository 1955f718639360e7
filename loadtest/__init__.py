"""The experiment: which web stack is faster, by how much, and how sure that is.

It knows URLs and processes only, never an app's code.
"""
