"""The repository's root, and the Rust crate's results."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def answers():
    """The crate's results, as texts, for lines of an operation and its operands."""

    def answer(lines):
        command = ["cargo", "run", "-q", "-p", "layout-cli", "--no-default-features", "--example", "answers"]
        text = "".join("\t".join(line) + "\n" for line in lines)
        done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return answer
