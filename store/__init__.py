"""What is remembered: SQLAlchemy over SQLite or PostgreSQL. No queue and no model client."""
