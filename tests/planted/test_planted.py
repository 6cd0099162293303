"""Tests that faults are planted where the keys say, and that a test of that code finds them."""

from __future__ import annotations

import ast
import gc
import importlib.util
import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from textwrap import dedent

import pytest

from tests.planted.faults import cropped, faults
from tests.planted.nearby import Nearby, chosen
from tests.planted.planting import Room
from tests.planted.results import Results, document, reasons
from tests.planted.rooms import PARTS
from tests.project import ROOT

POND = '''
    """A pond."""

    LEAST = 1


    def left(stock: float, taken: float = 0.0) -> float:
        """Return the stock that is left, at least 0."""
        if taken < 0:
            raise ValueError("taken: less than 0")
        return max(stock - taken, 0.0)


    def emptied(stock: int) -> int:
        hauls = 0
        while stock:
            stock, hauls = stock - 1, hauls + 1
        return hauls


    class Pond:
        size = 10

        @property
        def half(self) -> float:
            return self.size / 2

        def grow(self, *, by: int) -> None:
            self.size += by
'''


def planted(source: str) -> list[str]:
    """Return the keys of a source's faults, without the path."""
    text = dedent(source)
    return [fault.key.removeprefix("pond.py ") for fault in faults("pond.py", ast.parse(text))]


def room(folder: Path, source: str = POND) -> Room:
    (folder / "pond.py").write_text(dedent(source), encoding="utf-8")
    return Room(folder, ["pond.py"])


def test_the_faults_of_a_source_are_small_changes_of_its_functions():
    assert planted(POND) == [
        "left: taken < 0 -> taken <= 0",
        "left: taken < 0 -> taken < 1",
        "left: raise ValueError('taken: less than 0') -> pass",
        "left: return max(stock - taken, 0.0) -> return None",
        "left: max(stock - taken, 0.0) -> min(stock - taken, 0.0)",
        "left: stock - taken -> stock + taken",
        "left: max(stock - taken, 0.0) -> max(stock - taken, 1.0)",
        "emptied: hauls = 0 -> hauls = 1",
        "emptied: while stock: -> while not stock:",
        "emptied: stock - 1 -> stock + 1",
        "emptied: stock - 1 -> stock - 2",
        "emptied: hauls + 1 -> hauls - 1",
        "emptied: hauls + 1 -> hauls + 2",
        "emptied: return hauls -> return None",
        "Pond.half: return self.size / 2 -> return None",
        "Pond.half: self.size / 2 -> self.size * 2",
        "Pond.half: self.size / 2 -> self.size / 3",
        "Pond.grow: self.size += by -> self.size -= by",
        "Pond.grow: self.size += by -> pass",
    ]


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("x = not a", ["not a -> a"]),
        ("x = a and b", ["a and b -> a or b"]),
        ("x = a is None", ["a is None -> a is not None"]),
        ("x = [v for v in a if v]", ["for v in a if v -> for v in a if not v"]),
        ("x = b if a else b", ["b if a else b -> b if not a else b"]),
        ("a['stock'] = b", ["a['stock'] = b -> pass", "a['stock'] -> a['XXstock']"]),
        ("f(a, keep=b)", ["f(a, keep=b) -> pass", "f(a, keep=b) -> f(a)"]),
        ("for v in a:\n        break", ["for v in a: -> for v in ():", "break -> continue"]),
        ("x = a[0]", ["a[0] -> a[1]"]),
        ("x = lambda: -a", ["-a -> a"]),
    ],
)  # fmt: skip
def test_each_kind_of_fault(body, changes):
    keys = planted(f"def f(a, b):\n    {body}\n")
    assert [key.removeprefix("f: ").removeprefix("f.lambda: ") for key in keys] == changes


@pytest.mark.parametrize(
    "source",
    [
        "LEAST = 1 + 2",
        "def f(a=1): 'A text.'",
        "def f(a: 'int' = 1) -> 'int': pass",
        "@cache(size=3)\ndef f(): pass",
        "def f(a): x: 'int' = a",
        "def f(a): x = f'{a + 1}'",
        "def f(a): x = 'two words'",
        "def f(a): x = _('Period')",
        "def f(a): x = cast('int', a)",
        "def f(a): x = zip(a, a, strict=a)",
        "def f(a): x = zip(a, a, strict=True)",
        "class Pond:\n    size: int = 10",
    ],
)
def test_code_that_never_runs_and_text_for_people_are_left_alone(source):
    assert planted(source) == []


def test_in_a_file_of_words_only_the_keys_are_changed():
    tree = ast.parse("def words(): return {'title': 'Board'}")
    keys = [fault.key for fault in faults("board/words.py", tree)]
    assert [key for key in keys if "XX" in key] == [
        "board/words.py words: {'title': 'Board'} -> {'XXtitle': 'Board'}"
    ]


def test_faults_that_read_the_same_are_numbered_and_long_ones_are_cropped():
    assert planted("def f(a): return (a > 0) == (a > 0)")[2:6:2] == [
        "f: a > 0 -> a >= 0",
        "f: a > 0 -> a >= 0 (2)",
    ]
    was, becomes = cropped("f(" + "a, " * 50 + "1)", "f(" + "a, " * 50 + "2)")
    assert (was[0], was[-3:], becomes[-3:]) == ("…", " 1)", " 2)")


def test_a_fault_reaches_existing_functions(tmp_path, monkeypatch):
    """Change 10 / 2 = 5 fish to 10 * 2 = 20, even for a pond that already existed."""
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)
    spec = importlib.util.spec_from_file_location("pond", tmp_path / "pond.py")
    pond_room = room(tmp_path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pond = module.Pond()
    (fault,) = (fault for fault in pond_room.faults if "size * 2" in fault.key)
    before = pond.half, module.left(5.0, 2.0)
    gc.freeze()  # as `tests/conftest.py` does before the tests
    pond_room.plant(fault, pond_room.functions())
    assert before == (5, 3.0)
    assert (pond.half, module.left(5.0, 2.0)) == (20, 3.0)


def near(seconds: dict[str, float], **lines: list[int]) -> Nearby:
    run = {test: {"pond.py": numbers} for test, numbers in lines.items()}
    return Nearby("", seconds, run, waited={test: 9 * cpu for test, cpu in seconds.items()})


def test_tests_that_run_the_lines_come_first_the_quickest_before_the_others():
    measurements = {
        "test_slow.py": near({"slow": 9.0, "aside": 1.0}, slow=[4], aside=[]),
        "test_quick.py": near({"quick": 2.0, "quicker": 0.5}, quick=[3], quicker=[3, 4]),
        "test_shared.py": Nearby(
            "", {"shared": 0.25}, {"shared": {}}, {"pond.py": [9]}, {"shared": 5}
        ),
    }
    names = [name for name, _ in chosen(measurements, "pond.py", (3, 4), 60.0)]
    assert names == ["quicker", "quick", "slow", "aside"]
    assert [name for name, _ in chosen(measurements, "pond.py", (4, 4), 3.0)] == ["quicker"]
    assert chosen(measurements, "pond.py", (9, 9), 1.0) == [("shared", 5)]  # with its elapsed time
    assert [name for name, _ in chosen(measurements, "pond.py", (9, 9), 60.0)] == ["shared"]
    assert chosen(measurements, "pond.py", (7, 7), 60.0) == []


TEST_OF_BOUNDED = """
    import pond

    def test_what_is_taken_is_not_left():
        assert pond.left(5.0, 2.0) == 3.0

    def test_a_pond_grows():
        small = pond.Pond()
        small.grow(by=2)
        assert small.size == 12
"""
TEST_OF_THE_POND = f"""{TEST_OF_BOUNDED}
    def test_a_pond_is_emptied():
        assert pond.emptied(3) == 3
"""
PROGRAM = """
import sys
from pathlib import Path
from tests.planted.__main__ import run
from tests.planted.planter import Planter, Wish
from tests.planted.planting import Room

here = Path.cwd()
sys.path.insert(0, str(here))
run(Planter(Room(here, sys.argv[1:]), Wish(), here / "kept"), ["test_here.py"])
"""


def survivors(folder: Path, path: str, tests: str) -> list[str]:
    """Return the keys, without the path, of a file's faults that these tests do not find."""
    (folder / "test_here.py").write_text(dedent(tests), encoding="utf-8")
    program = [sys.executable, "-c", PROGRAM, path]
    subprocess.run(program, cwd=folder, env={"PYTHONPATH": str(ROOT)}, check=True)
    results = Results.read(folder / "kept/results.json")
    return [key.removeprefix(f"{path} ") for key in results.survivors()]


BOUNDED = (
    POND.partition("    def emptied")[0] + "    class Pond" + POND.partition("    class Pond")[2]
)
"""Pond without a loop, because an endless loop takes three seconds per fault."""


@pytest.mark.long
@pytest.mark.parametrize("source", [BOUNDED, POND])
def test_faults_in_untested_behaviour_survive(tmp_path, source):
    """Test growth and taking. Do not test taking less than 0 or everything, or half a pond."""
    room(tmp_path, source)
    tests = TEST_OF_THE_POND if "def emptied" in source else TEST_OF_BOUNDED
    assert survivors(tmp_path, "pond.py", tests) == [
        "left: taken < 0 -> taken <= 0",
        "left: taken < 0 -> taken < 1",
        "left: raise ValueError('taken: less than 0') -> pass",
        "left: max(stock - taken, 0.0) -> max(stock - taken, 1.0)",
        "Pond.half: return self.size / 2 -> return None",
        "Pond.half: self.size / 2 -> self.size * 2",
        "Pond.half: self.size / 2 -> self.size / 3",
    ]
    results = Results.read(tmp_path / "kept/results.json")
    assert (
        results.outcomes["pond.py left: raise ValueError('taken: less than 0') -> pass"]
        == "passed by"
    )
    assert json.loads((tmp_path / "kept/tests.json").read_text("utf-8")).keys() == {"test_here.py"}


TEST_OF_A_NET = """
    def test_a_net_is_mended():
        import net
        assert net.mended(2) == 3
"""


@pytest.mark.long
def test_a_fault_reaches_a_module_that_a_test_imports_itself(tmp_path):
    (tmp_path / "net.py").write_text("def mended(holes):\n    return holes + 1\n", encoding="utf-8")
    assert survivors(tmp_path, "net.py", TEST_OF_A_NET) == []


TEST_OF_A_WAIT = """
    import pond, time

    def test_a_pond_is_reached():
        while pond.left(2.0) != 2.0:
            time.sleep(0.1)
"""


@pytest.mark.long
def test_a_test_that_never_ends_has_found_the_fault(tmp_path):
    """Find the fault by elapsed time (10 s), because the test uses no CPU time."""
    room(tmp_path, "def left(stock):\n    return stock * 1.0\n")
    assert survivors(tmp_path, "pond.py", TEST_OF_A_WAIT) == ["left: stock * 1.0 -> stock / 1.0"]


def test_the_document_counts_and_lists():
    """Count 17 of 20 as found, which is 85%. Wilson's interval is (0.64, 0.948)."""
    outcomes = {f"pond.py f: {n} -> {n + 1}": "found" for n in range(17)}
    outcomes |= {"pond.py f: a -> b": "survived", "pond.py f: b -> c": "passed by", "g": "survived"}
    text = document({"pond": Results(40, "python -m tests.planted pond", outcomes)})
    assert "| pond | 40 | 20 | 17 | 0 | 2 | 1 | 85.0 | 64.0 to 94.8 |" in text
    assert "- `pond.py f: b -> c` (no test runs it)" in text
    assert text.count("\n- ") == 3


def test_every_reason_belongs_to_a_fault_that_can_be_planted():
    sources = {path for part in PARTS.values() for path in part.paths()}
    explained = {path for path in sources if any(key.startswith(f"{path} ") for key in reasons())}
    keys = {
        fault.key
        for path in explained
        for fault in faults(path, ast.parse((ROOT / path).read_text("utf-8")))
    }
    assert reasons().keys() <= keys
    assert all(reasons().values())
