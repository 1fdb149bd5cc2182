"""Row level security on the tables about customers, and the two roles (PostgreSQL).

Revision ID: 0002
"""

from alembic import op

from store.wall import raise_wall

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    raise_wall(op.get_bind())
