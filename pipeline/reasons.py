"""Reason codes: the closed vocabulary in which Afterword says why.

A code is all that logs, audit rows, metrics and receipts ever carry of a refused text. The sentence beside each code
is what the README and `--help` print, so it is written once, here.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a decision, a gate or an event ended as it did. `.explain` is the sentence for people."""

    explain: str

    def __new__(cls, code: str, explain: str = "") -> "Reason":
        member = str.__new__(cls, code)
        member._value_ = code
        member.explain = explain
        return member

    # --- what a write did -------------------------------------------------------------------------------------------
    NEW = "new", "nothing was known, or what was known had expired"
    SAME = "same", "already known: kept as evidence, expiry renewed"
    NEWER = "newer", "a later statement of the same rank replaces the earlier one"
    OUTRANKS = "outranks", "a stronger source replaces a weaker one"
    ENDED = "ended", "it no longer holds: the fact gets its end and no successor"
    NOTHING_TO_END = "nothing_to_end", "said to be over, but nothing was known"
    CORRECTED = "corrected", "said again later in the same ticket: the last word counts"
    OUTRANKED = "outranked", "a stronger source says otherwise: for review"
    UNSURE = "unsure", "too little confidence to replace what is known: for review"
    NEEDS_CONFIRMATION = "needs_confirmation", "a person must confirm it first: for review"
    TIE = "tie", "two sources of one rank disagree at the same instant: for review"
    TOO_LATE = "too_late", "older than the history that was purged"
    FUTURE = "future", "observed in the future"
    SYSTEM_OWNED = "system_owned", "a business system owns this key: look it up there"
    ERASED = "erased", "observed before the customer was forgotten"
    OPTED_OUT = "opted_out", "the customer has switched memory off"
    RETRACTED = "retracted", "the ticket was retracted"

    # --- gate 1, shape ----------------------------------------------------------------------------------------------
    BAD_SHAPE = "bad_shape", "does not fit the schema"
    UNKNOWN_KIND = "unknown_kind", "not a kind that is remembered (procedural memory is not)"
    BAD_KEY = "bad_key", "not a usable key: want a snake_case word of at most 64 letters"
    EMPTY_VALUE = "empty_value", "no value"
    TOO_LONG = "too_long", "longer than a fact may be, or than the model can read even in parts"
    NOT_ALLOWED = "not_allowed", "not among the values that the catalogue allows for this key"
    # --- gate 2, speaker and subject --------------------------------------------------------------------------------
    NOT_CUSTOMER = "not_customer", "not the customer's own words"
    THIRD_PARTY = "third_party", "about somebody else"
    SPECULATION = "speculation", "hedged or guessed, not stated"
    # --- gate 3, lasting --------------------------------------------------------------------------------------------
    TEMPORARY = "temporary", "for this once only"
    MOOD = "mood", "a mood or a courtesy"
    # --- gate 4, grounding ------------------------------------------------------------------------------------------
    NO_QUOTE = "no_quote", "the quote does not stand in that message"
    UNGROUNDED = "ungrounded", "the value says more than the quote"
    UNGROUNDED_NUMBER = "ungrounded_number", "a number or date in the value is not in the quote"
    # --- gate 5, forbidden keys -------------------------------------------------------------------------------------
    FORBIDDEN_KEY = "forbidden_key", "the key names a credential, a card, an account or an id"
    # --- gate 6, sensitive content ----------------------------------------------------------------------------------
    PAYMENT_CARD = "payment_card", "a payment card number, whole, masked or in part"
    CVV = "cvv", "a card's security code"
    BANK_ACCOUNT = "bank_account", "a bank account, routing number or IBAN"
    GOVERNMENT_ID = "government_id", "a national id, tax, social security or health number"
    PASSPORT = "passport", "a passport or travel permit number"
    DRIVING_LICENCE = "driving_licence", "a driving licence number"
    LICENCE_PLATE = "licence_plate", "a vehicle's licence plate"
    PHONE = "phone", "a phone number"
    EMAIL = "email", "an e-mail address"
    IM_ACCOUNT = "im_account", "a messenger account"
    NETWORK_ADDRESS = "network_address", "an IP or MAC address"
    PASSWORD = "password", "a password, passphrase or PIN"
    ONE_TIME_CODE = "one_time_code", "a one-time or verification code"
    SECRET = "secret", "an API key, token, private key or connection string"
    WALLET = "wallet", "a wallet address or seed phrase"
    ADDRESS = "address", "a street address"
    POSITION = "position", "a geographic position"
    DATE_OF_BIRTH = "date_of_birth", "a date of birth"
    HEALTH = "health", "a statement about health"
    RELIGION = "religion", "a statement about belief"
    BIOMETRIC = "biometric", "biometric data"
    SEXUAL_LIFE = "sexual_life", "a statement about sexual life or orientation"
    POLITICS = "politics", "a statement about political opinion or union membership"
    MINOR = "minor", "a statement about a child"
    SPECIAL_CATEGORY = "special_category", "another protected matter: income, origin, criminal record, …"
    POLICY = "policy", "a word that the tenant's policy refuses"
    PLACEHOLDER = "placeholder", "holds the placeholder of a masked value"
    # --- gate 7, authority ------------------------------------------------------------------------------------------
    AUTHORITY = "authority", "would change rights, money, checks or the agent's rules"
    # --- gate 8 -----------------------------------------------------------------------------------------------------
    LOW_CONFIDENCE = "low_confidence", "the model was not sure enough"
    # --- any gate ---------------------------------------------------------------------------------------------------
    GATE_ERROR = "gate_error", "a gate failed, so it refused"
    GATE_TIMEOUT = "gate_timeout", "a gate took too long, so it refused"

    # --- how an event ended -----------------------------------------------------------------------------------------
    APPLIED = "applied", "its facts were decided and written"
    NOTHING_SAID = "nothing_said", "the customer said nothing but courtesies: no model was called"
    INVALID_REPLY = "invalid_reply", "the model's reply did not fit the schema, nor did its repair"
    REFUSAL = "refusal", "the model refused to answer"
    CONTENT_FILTER = "content_filter", "the model's content filter stopped the reply"
    BAD_REQUEST = "bad_request", "the model server does not accept the request: check model and settings"
    UNDECRYPTABLE = "undecryptable", "the payload does not decrypt: wrong or lost key"
    WORKER_LOST = "worker_lost", "its worker died too often, the last time alone in quarantine"
    TOO_OLD = "too_old", "passing faults lasted longer than `max_wait`"
    # --- why an event waits -----------------------------------------------------------------------------------------
    NO_MODEL = "no_model", "no model is configured"
    RATE_LIMITED = "rate_limited", "the model server asked to slow down"
    MODEL_UNAVAILABLE = "model_unavailable", "the model server failed or could not be reached"
    MODEL_REFUSES = "model_refuses", "the model server refuses our key, model name or quota: mend the settings"
    MODEL_TIMEOUT = "model_timeout", "the model did not answer in time"
    STORE_UNAVAILABLE = "store_unavailable", "the database could not be reached or was locked"
    UNEXPECTED = "unexpected", "an error in Afterword itself: the log says where; it is tried again"
    REPLAYED = "replayed", "put back by an operator"
    PROCESSING = "processing", "a worker is at it just now"
    PENDING = "pending", "waits already"
    PAYLOAD_GONE = "payload_gone", "its payload was already purged"


def explained(code: str | None) -> str:
    """The sentence of a stored code; '' for one that this version does not know, and for none."""
    return next((reason.explain for reason in Reason if reason.value == code), "")
