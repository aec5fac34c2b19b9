"""Expert placement."""
