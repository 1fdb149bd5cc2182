"""Recall by meaning: embedders behind one small interface, and the upkeep of the vectors that they make.

Importing this costs nothing: NumPy, the offline model and the OpenAI SDK are loaded by the first text.
"""

from worker.embed.embedders import Embedder, EmbedderFailed, EmbedderMissing, embedder_of
from worker.embed.meaning import Meaning
from worker.embed.upkeep import after_write, embed_all, embed_customer

__all__ = [
    "Embedder",
    "EmbedderFailed",
    "EmbedderMissing",
    "Meaning",
    "after_write",
    "embed_all",
    "embed_customer",
    "embedder_of",
]
