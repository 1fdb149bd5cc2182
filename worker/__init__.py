"""When things happen: Celery, the model, the command line, settings."""
