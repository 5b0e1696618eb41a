"""Results as JSON lines: one object per measurement, appended as soon as it is there."""

import json


class Results:
    """A file of results. Reading skips a last line that an interruption cut."""

    def __init__(self, path):
        self.path = path
        self.records = []
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    self.records.append(json.loads(line))
                except json.JSONDecodeError:
                    continue

    def add(self, record):
        self.records.append(record)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a+b") as out:
            out.seek(0, 2)
            if out.tell():
                out.seek(-1, 2)
                if out.read(1) != b"\n":  # the line that an interruption cut ends here
                    out.write(b"\n")
            out.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
