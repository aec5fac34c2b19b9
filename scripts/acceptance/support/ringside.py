"""The real binary, through its public command line and JSON."""

import dataclasses
import json
import pathlib
import subprocess
import sys


class Unusable(Exception):
    """Something cannot be measured on this machine; says what is missing."""


def run(command: list, **options) -> subprocess.CompletedProcess:
    """Runs to a successful end or raises Unusable with the end of what was printed."""
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        last = (result.stderr or result.stdout).strip().splitlines()[-1:] or ["no output"]
        raise Unusable(f"'{' '.join(map(str, command))}' ended with {result.returncode}: {last[0]}")
    return result


@dataclasses.dataclass(frozen=True)
class Ringside:
    binary: pathlib.Path
    preset: str

    @staticmethod
    def build(root: pathlib.Path, preset: str) -> "Ringside":
        for command in (["cmake", "--preset", preset],
                        ["cmake", "--build", f"build/{preset}", "--target", "ringside"]):
            # What the build prints is no result: stdout is for the numbers.
            if subprocess.run(command, cwd=root, stdout=sys.stderr).returncode != 0:
                raise Unusable(f"'{' '.join(command)}' failed")
        return Ringside(root / "build" / preset / "bin" / "ringside", preset)

    def version(self) -> str:
        return run([self.binary, "--version"]).stdout.splitlines()[0]

    def probe(self, *arguments: str) -> dict:
        """The Document of one `probe-comm`."""
        return json.loads(run([self.binary, "probe-comm", "--quiet", *arguments, "--json", "-"]).stdout)


def medians_ns(document: dict) -> dict[str, float]:
    """Strategy -> median of its (only) row; every row must have passed."""
    medians = {}
    for row in document["rows"]:
        if row["status"] != "pass":
            raise Unusable(f"{row['params']['strategy']} at {row['params']['bytes']} bytes: {row['status']}")
        medians[row["params"]["strategy"]] = row["time"]["median_ns"]
    return medians
