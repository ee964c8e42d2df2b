"""Writes the packages' bill of materials into ``dist``, in CycloneDX format.

It lists what pip installs with the wheel and what else the frozen folder contains.
"""

import datetime as dt
import json
import sys
import uuid
from typing import Any

from places import DIST, FROZEN, ROOT, RUNTIME, epoch, run, version


def of_the_packages() -> dict[str, Any]:
    """Return the contents of the clean environment, as the CycloneDX tool describes them."""
    told = run(sys.executable, "-m", "cyclonedx_py", "environment", RUNTIME,
               "--pyproject", ROOT / "pyproject.toml", "--output-reproducible",
               "--of", "JSON")  # fmt: skip
    bill: dict[str, Any] = json.loads(told)
    return bill


def brought_along() -> list[dict[str, Any]]:
    """Return the other parts of the frozen folder, from the list that ``brought.py`` made."""
    file = FROZEN / "_internal" / "notesearch" / "resources" / "licences" / "brought.json"
    if not file.is_file():
        return []
    return [
        {
            "type": "library",
            "bom-ref": f"brought:{entry['name']}",
            "name": entry["name"],
            **({"version": entry["version"]} if entry.get("version") else {}),
            "licenses": [{"license": {"name": entry["licence"]}}],
        }
        for entry in json.loads(file.read_text("utf-8"))
    ]


def carried() -> list[dict[str, Any]]:
    """Return the parts inside Python packages that no package metadata describes."""
    return [
        {
            "type": "machine-learning-model",
            "bom-ref": "carried:all-MiniLM-L6-v2",
            "name": "all-MiniLM-L6-v2",
            "licenses": [{"license": {"id": "Apache-2.0"}}],
        },
        {
            "type": "library",
            "bom-ref": "carried:SQLite",
            "name": "SQLite",
            "licenses": [{"license": {"id": "blessing"}}],
        },
    ]


def main() -> int:
    """Write one bill for all packages."""
    bill = of_the_packages()
    bill["components"] = [*bill["components"], *carried(), *brought_along()]
    made = dt.datetime.fromtimestamp(epoch(), dt.UTC).isoformat()
    bill["metadata"]["timestamp"] = made
    bill["metadata"]["component"]["version"] = version()
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_DNS, f'notesearch {made}')}"
    target = DIST / f"notesearch-{version()}.cdx.json"
    target.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{target.relative_to(ROOT)}: {len(bill['components'])} components")
    return 0


if __name__ == "__main__":
    sys.exit(main())
