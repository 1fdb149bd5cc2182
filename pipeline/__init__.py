"""What may be remembered: pure decisions. No I/O, no clock, no logging; `now` and keys are passed in."""
