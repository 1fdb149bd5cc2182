"""How good is the memory: annotated tickets through the real path, measured at three levels."""
