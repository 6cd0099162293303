"""A participant played by botex, with a stub as its language model.

    python -m tests.door.form_bot LINK FOLDER     in an environment with botex

The stub fills in the JSON Schema that botex sends: the first option of a choice, 3 for a number.
Nothing leaves this machine. `FOLDER/asked.json` lists the texts that the model was asked.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

__all__ = ["main"]

AMOUNT = 3
"""Answer to every question that asks for a number."""

prompts: list[str] = []


def filled(schema: dict[str, Any], defs: dict[str, Any], name: str = "") -> Any:
    """Return a value that a JSON Schema accepts."""
    if "$ref" in schema:
        return filled(defs[schema["$ref"].rpartition("/")[2]], defs, name)
    if "allOf" in schema:
        return filled(schema["allOf"][0], defs, name)
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {key: filled(part, defs, key) for key, part in schema["properties"].items()}
    return {"boolean": name == "understood", "integer": AMOUNT, "number": AMOUNT}.get(
        schema["type"], "Fine."
    )


class Stub(BaseHTTPRequestHandler):
    """Language model with OpenAI's interface."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompts.append(sent["messages"][-1]["content"])
        schema = sent["response_format"]["json_schema"]["schema"]
        content = json.dumps(filled(schema, schema.get("$defs", {})))
        choice = {"index": 0, "finish_reason": "stop"}
        answer = {
            "id": "stub",
            "object": "chat.completion",
            "created": 0,
            "model": sent["model"],
            "choices": [{**choice, "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def main(link: str, folder: Path) -> None:
    """Play a participant to the end."""
    import botex

    stub = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=stub.serve_forever, daemon=True).start()
    database = str(folder / "botex.sqlite3")
    botex.setup_botex_db(database).close()
    botex.run_single_bot(
        url=link,
        botex_db=database,
        model="gpt-4o-mini-2024-07-18",
        api_key="none",
        api_base=f"http://127.0.0.1:{stub.server_address[1]}/v1",
    )
    (folder / "asked.json").write_text(json.dumps(prompts))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
