"""Load and render Jinja2 templates: prompts, rules, reports, and the dashboard's pages."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable

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


class Exact(str):
    """A text that a form has to send back as it is: escaped, but never masked."""

    __slots__ = ()


class Pages:
    """
    The HTML templates in *folder* of the bundle; *shown* has a last look at every text.

    A text is escaped wherever it stands: whatever somebody said is never markup. The test
    ``whole`` says whether a text is shown as it is: what is masked must not be sent back.
    The filter ``cut`` shortens a text as it is shown: half a word would not be masked.
    """

    def __init__(self, folder: str, shown: Callable[[str], str]) -> None:
        import jinja2  # noqa: PLC0415 - as below
        from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

        def last_look(value: object) -> object:
            is_text = isinstance(value, str) and not isinstance(value, Markup | Exact)
            return shown(str(value)) if is_text else value

        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(BUNDLE / folder),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            finalize=last_look,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["cut"] = lambda text, most: _cut(shown(text), most)
        self._environment.tests["whole"] = lambda text: shown(text) == text

    def render(self, name: str, **values: object) -> str:
        """Render the page *name*, a file there without its ending ``.html.j2``."""
        return self._environment.get_template(f"{name}.html.j2").render(**values)


def _cut(text: str, most: int) -> str:
    """Return *most* letters of *text*, and how many more there are."""
    rest = len(text) - most
    return f"{text[:most]}… (+{rest})" if rest > 0 else text


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
