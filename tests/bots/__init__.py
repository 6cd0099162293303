import pytest

pytest.register_assert_rewrite("tests.bots.contract")
