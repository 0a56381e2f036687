"""The texts in what JSON holds, whatever is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def with_texts(
    value: Any, change: Callable[[str], str], fixed: Collection[str] = ()
) -> Any:  # Any: it is JSON
    """Return *value* with a *change* made to each text that is under no *fixed* name."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [with_texts(each, change, fixed) for each in value]
    if isinstance(value, dict):
        return {
            key: each if key in fixed else with_texts(each, change, fixed)
            for key, each in value.items()
        }
    return value
