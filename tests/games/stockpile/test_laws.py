"""Laws that only Stockpile has: what its base rules may know, and what its rulings must say."""

import ast
import re
from pathlib import Path

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.in_play import MODULES
from stockpile_web.games.stockpile.investors import INVESTORS
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES
from stockpile_web.settings import ROOT
from tests.support.reading import imported


def test_phases_never_name_a_module_an_investor_or_a_strategy() -> None:
    names = {*MODULES, *INVESTORS, *STRATEGIES}
    phases = sorted((Path(stockpile.__file__).parent / "phases").glob("*.py"))
    assert len(phases) >= 6
    for path in phases:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant):
                assert node.value not in names, f"{path.name} line {node.lineno}"
        for name in imported(path):
            assert ".stockpile.modules" not in name, f"{path.name} imports {name}"
            assert ".stockpile.investors" not in name, f"{path.name} imports {name}"


def test_each_ruling_says_to_which_edition_it_belongs() -> None:
    text = (ROOT / "docs" / "rulings" / "stockpile.md").read_text()
    rulings = re.findall(r"^\d+\. (.*)", text, re.M)
    assert len(rulings) > 40
    edition = r"\*(Base|Epic|Base, Epic|Server)\.\* "
    assert [line for line in rulings if not re.match(edition, line)] == []
