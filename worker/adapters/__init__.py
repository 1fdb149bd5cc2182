"""The helpdesks that Afterword understands: a file and a row each. Their path: /v1/hooks/NAME/TENANT."""

from collections.abc import Mapping

from worker.adapters import chatwoot, freshdesk, hubspot, intercom, zammad, zendesk
from worker.adapters.base import Adapter

ADAPTERS: Mapping[str, Adapter] = {
    "zendesk": zendesk.ADAPTER,
    "intercom": intercom.ADAPTER,
    "freshdesk": freshdesk.ADAPTER,
    "chatwoot": chatwoot.ADAPTER,
    "zammad": zammad.ADAPTER,
    "hubspot": hubspot.ADAPTER,
}
