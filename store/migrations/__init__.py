"""The schema's revisions, oldest first. The application knows no other."""

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
HEAD = REVISIONS[-1]
