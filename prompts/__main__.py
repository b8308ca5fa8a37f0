"""`python -m editplan.prompts`: adds new prompt files to `lock.json`; refuses a released file that was changed."""

from __future__ import annotations

import json
import sys

from editplan.prompts.loader import LOCK, present, released


def main() -> int:
    """Returns 0 when the lock file is complete, 2 when a released prompt was changed or removed."""
    old, new = released(), present()
    broken = sorted(name for name, value in old.items() if new.get(name) != value)
    for name in broken:
        what = "was changed" if name in new else "is gone"
        sys.stderr.write(f"{name} {what} after its release: restore it and add the new wording as a new version\n")
    if broken:
        return 2
    LOCK.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(new)} prompts, {len(set(new) - set(old))} new\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
