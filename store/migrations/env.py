"""What alembic runs: our revisions on the connection that `store.migrate` hands over, in its transaction."""

from alembic import context

from store.models import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
