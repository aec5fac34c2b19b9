"""Adds up what ctest wrote with --output-junit: names what failed, what was skipped and why, and closes with the line
`N passed, N failed, N skipped`. Exits 1 unless some passed and none failed."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def reason(case: ElementTree.Element) -> str:
    """The last line that a skipped test printed."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    return lines[-1].removeprefix("skipped: ") if lines else "no reason given"


def main(paths: list[str]) -> int:
    passed, failed, skipped = 0, [], []
    for path in map(pathlib.Path, paths):
        if not path.exists():
            failed.append(f"{path.parent.name}: ctest wrote no result")
            continue
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{path.parent.name}: {case.get('name')}"
            mark = case.find("skipped")
            if case.get("status") == "run":
                passed += 1
            elif mark is not None and "SKIP_" in (mark.get("message") or ""):
                skipped.append(f"{name} ({reason(case)})")
            else:  # failed, timed out, or could not be started
                failed.append(name)
    for name in skipped:
        print(f"skipped  {name}")
    for name in failed:
        print(f"FAILED   {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
