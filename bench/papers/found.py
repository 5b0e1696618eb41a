"""Results by what they are about, and Markdown tables."""

import statistics

NOT_RUN = "not run"


class Found:
    """Looks records up. Of several done ones of a job the last counts, of times the smallest."""

    def __init__(self, records):
        self.by_job = {}
        for record in records:
            key = (record["experiment"], record["set"], record["method"])
            known = self.by_job.setdefault(key, {})
            before = known.get(record["draw"])
            if before and before["status"] == "done":
                if record["status"] != "done":
                    continue
                if record["experiment"] == "000 Table 3" and before["seconds"] <= record["seconds"]:
                    continue
            known[record["draw"]] = record

    def shown(self):
        """The records that count, in a fixed order."""
        return [records[draw] for _, records in sorted(self.by_job.items()) for draw in sorted(records)]

    def all(self, experiment, name, method):
        """The done records of a job, one per draw."""
        records = self.by_job.get((experiment, name, method), {})
        return [records[draw] for draw in sorted(records) if records[draw]["status"] == "done"]

    def one(self, experiment, name, method):
        return next(iter(self.all(experiment, name, method)), None)

    def why_not(self, experiment, name, method):
        """What to print where there is no number."""
        records = self.by_job.get((experiment, name, method), {})
        for record in records.values():
            if record["status"] == "timed out":
                return f"> {record['limit']} s"
            if record["status"] == "failed":
                return "cannot"
        return NOT_RUN

    def mean(self, experiment, name, method, key="accuracy"):
        """The mean over the draws of a number or of a list of numbers."""
        values = [record[key] for record in self.all(experiment, name, method)]
        if not values:
            return None
        if isinstance(values[0], list):
            return [statistics.fmean(column) for column in zip(*values)]
        return statistics.fmean(values)

    def problems(self):
        """(set, method, reason) of everything that did not end well and was never done."""
        lines = []
        for (experiment, name, method), records in sorted(self.by_job.items()):
            for record in records.values():
                if record["status"] != "done":
                    lines.append((experiment, name, method, record["status"], record["reason"]))
        return lines

    def versions(self):
        found = {}
        for records in self.by_job.values():
            for record in records.values():
                for package, version in record.get("versions", {}).items():
                    found.setdefault(package, set()).add(version)
        return {package: ", ".join(sorted(versions)) for package, versions in sorted(found.items())}


def table(head, rows):
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def seconds(value):
    """Two digits, as one reads times."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    if value >= 0.1:
        return f"{value:.2f}"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


def percent(value):
    return "" if value is None else f"{value:.1f}"
