"""Load and render the Jinja2 templates of `prompts` and `agents_md_snippets`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE

if TYPE_CHECKING:
    import jinja2


def render(template: str, **values: object) -> str:
    """
    Render *template*, a path below the bundle such as ``prompts/memory_sync.md.j2``.

    A value that the template names and *values* lacks is an error, never an empty string.
    """
    return _environment().get_template(template).render(**values)


def fingerprint(template: str) -> str:
    """Return the first twelve hex digits of the SHA-256 of *template*'s source."""
    return hashlib.sha256((BUNDLE / template).read_bytes()).hexdigest()[:12]


def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - every event loads this module, hardly one renders

    # The output is Markdown for a model, never HTML: escaping would change the words.
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(BUNDLE),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - see above
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
