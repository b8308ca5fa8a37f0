"""Looking providers up: built-in ones, installed packages', and objects."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from editplan.editors import resolve as resolve_editor
from editplan.errors import ConfigError, SpecError
from editplan.planner.models import resolve as resolve_model
from editplan.protocols import Editor
from editplan.providers import Providers
from editplan.testing import ScriptedEditor, ScriptedModel

PLUGIN = """
from editplan.testing import ScriptedEditor

def build(spec):
    return ScriptedEditor(editor_id=f"plugin:{spec.model}")
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that offers an editor."""
    (tmp_path / "a_plugin_for_tests.py").write_text(PLUGIN)
    info = tmp_path / "a_plugin_for_tests-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-plugin-for-tests\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[editplan.editors]\nplugin = a_plugin_for_tests:build\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield
    sys.modules.pop("a_plugin_for_tests", None)


@pytest.mark.usefixtures("plugin")
def test_an_installed_package_offers_an_editor() -> None:
    providers = Providers(what="editor", group="editplan.editors", built_in={"svg": "no.such.module"})
    made = providers.build("plugin:big")
    providers.check(made, Editor)
    assert made.id == "plugin:big"
    assert "plugin" in providers.names()
    assert "svg" not in providers.names()


@pytest.mark.parametrize("resolve", [resolve_model, resolve_editor])
def test_an_unknown_provider_lists_the_known_ones(resolve: object) -> None:
    assert callable(resolve)
    with pytest.raises(SpecError, match=r"no .* provider 'nobody'; known: .*compatible, .*embedded"):
        resolve("nobody:x")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("embedded?side=3", "knows: max_side_px"),
        ("embedded?max_side_px=3", "max_side_px"),
        ("embedded:x", "just `embedded`"),
    ],
)
def test_a_wrong_option_of_the_embedded_model(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        resolve_model(spec)


def test_an_object_is_taken_as_it_is() -> None:
    model, editor = ScriptedModel([]), ScriptedEditor()
    assert resolve_model(model) is model
    assert resolve_editor(editor) is editor


def test_what_is_neither_is_named() -> None:
    with pytest.raises(ConfigError, match="is no editor: it lacks capabilities, edit"):
        resolve_editor(ScriptedModel([]))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="is no vision model"):
        resolve_model(ScriptedModel)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "value"), [("id", 5), ("id", ""), ("capabilities", {})])
def test_an_object_with_a_wrong_member_is_told_when_it_is_resolved(name: str, value: object) -> None:
    from editplan.editors import resolve
    from editplan.testing import ScriptedEditor

    class Odd(ScriptedEditor):
        pass

    odd = Odd()
    object.__setattr__(odd, name, value) if name == "id" else setattr(odd, name, value)
    with pytest.raises(ConfigError, match=name):
        resolve(odd)
