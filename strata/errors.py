"""What can go wrong, as exceptions whose message tells the person what to do."""

from __future__ import annotations

from typing import Any, Self

from strata.messages import Notice


class StrataError(Exception):
    """
    An expected failure: one clear line for the person who must act.

    Told with a `Notice`, it reads as English and is said in the owner's language.
    """

    exit_code = 1

    @classmethod
    def of(cls, key: str, /, **values: Any) -> Self:  # Any: see `Notice`
        """Return the error that says the sentence *key* with *values* in its places."""
        return cls(Notice(key, **values))

    @property
    def told(self) -> str:
        """The line, which is a `Notice` where it is said in any language."""
        told: str = self.args[0] if self.args else ""
        return told


class SettingsError(StrataError):
    """A setting is unknown or has the wrong type."""

    exit_code = 2


class UsageError(StrataError):
    """The command was called the wrong way."""

    exit_code = 2


class OpenClawNotFound(StrataError):
    """There is no OpenClaw state directory where it was looked for."""


class NeverTalked(OpenClawNotFound):
    """OpenClaw knows the agent, and has kept no conversation of it yet."""


class OpenClawFailed(StrataError):
    """
    OpenClaw's own command line failed.

    *no_gateway* where it needs a running one, *timed_out* where it took too long.
    """

    def __init__(
        self, message: str, *, no_gateway: bool = False, timed_out: bool = False
    ) -> None:
        super().__init__(message)
        self.no_gateway = no_gateway
        self.timed_out = timed_out


class UnsupportedStore(StrataError):
    """A transcript store has a schema that this version cannot read."""


class TranscriptUnreadable(StrataError):
    """One transcript cannot be read; the others are not affected."""


class SourceUnreadable(StrataError):
    """What is to be imported is not there, is damaged, or is nothing that is known."""


class WorkspaceUnavailable(StrataError):
    """The workspace is missing, read-only or on a full disk."""


class PathNotAllowed(StrataError):
    """A path leaves the workspace, or names a file that is not memory."""


class ScopeNotAllowed(StrataError):
    """A conversation asks for memory that is not its own."""


class NotAccepted(StrataError):
    """A statement does not enter memory as it is; the message says how it would."""


class Moved(StrataError):
    """What was to be changed is no longer what its owner was shown."""


class NotFound(StrataError):
    """A file or a line that was asked for is not there."""


class ModelUnavailable(StrataError):
    """There is no embedding model, or the one that is there is damaged."""


class ModelError(StrataError):
    """
    A language model gave no answer that can be used.

    The message continues "the model NAME …" and never holds a key or what was said.
    *outcome* is the ledger's word for it; *may_have_cost* says whether it was paid for,
    and *output_tokens* how much of an answer there may have been.
    """

    outcome = "failed"
    may_have_cost = False
    output_tokens = 0


class ModelTimedOut(ModelError):
    """The model took too long."""

    outcome = "timeout"
    may_have_cost = True


class ModelUnreachable(ModelError):
    """Nothing answers where the model should be, or what answers is broken."""

    outcome = "unreachable"


class ModelBusy(ModelError):
    """The model wants to be asked later, in *retry_after_seconds*."""

    outcome = "busy"

    def __init__(self, message: str, *, retry_after_seconds: float) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ModelRefused(ModelError):
    """The model does not take what it was asked, or does not know who asks."""

    outcome = "refused"


class AnswerTooLong(ModelError):
    """The answer went on and on and was cut off."""

    outcome = "too long"
    may_have_cost = True
    # More than any answer should have; how many it were nobody says.
    output_tokens = 8_000


class AnswerRejected(ModelError):
    """The answer *text* has another form than was asked for: *complaints* say how."""

    outcome = "rejected"

    def __init__(self, complaints: list[str], text: str) -> None:
        super().__init__("gave an answer of the wrong form, also when asked to mend it")
        self.complaints = complaints
        self.text = text


class NotAsked(ModelError):
    """A limit is reached or the model is left alone, so it was not asked."""

    outcome = "not asked"


class GitUnavailable(StrataError):
    """Memory cannot be committed to git; the files themselves are written."""


class NotInstalled(StrataError):
    """A part of Strata that is an extra is not installed, or its record is damaged."""


class StoreUnreachable(StrataError):
    """The Qdrant server does not answer as it should; nothing is lost."""


class IndexUnavailable(StrataError):
    """The index cannot be read as it is."""


class KeyUnavailable(StrataError):
    """Memory is encrypted, and the key for it is missing or wrong."""

    exit_code = 77


class DecryptionFailed(StrataError):
    """What is encrypted was changed, cut off, or lies under another name."""


class Busy(StrataError):
    """Another process holds the lock that is needed."""

    exit_code = 75
