"""Lists that the generator reads: cities with their regions and post codes."""
