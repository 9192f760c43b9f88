# SPDX-License-Identifier: MIT
"""Says in Markdown what gcovr counted: files, lines and branches, and with a base what a change does to them.
  coverage.py COVERAGE.json [--floor FILE] [--base COMMIT [--base-json FILE]]
Run in the top folder of the repository. Exit status: 0; 1 below the floor, or the floor went down; 3 an input cannot
be read. The floor is a file of lines "lines PERCENT" and "branches PERCENT"."""
import argparse
import json
import re
import subprocess
import sys

FOLDERS = ('common', 'harness', 'report', 'tracer', 'workload')
LISTED_MAX = 200  # stretches of lines that are named


class Count:
    """Lines and branches of a file, or of several."""

    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_run = 0
        self.not_run = set()  # line numbers

    def add(self, other):
        self.lines += other.lines
        self.lines_run += other.lines_run
        self.branches += other.branches
        self.branches_run += other.branches_run

    def percent(self, what):
        """Of 'lines' or 'branches', in percent; None of nothing."""
        total = getattr(self, what)
        return 100 * getattr(self, f'{what}_run') / total if total else None

    def numbers(self):
        return self.lines, self.lines_run, self.branches, self.branches_run


def read_counts(path):
    """{file: Count} out of gcovr's JSON."""
    with open(path, encoding='utf-8') as file:
        data = json.load(file)
    counts = {}
    for item in data['files']:
        count = counts.setdefault(item['file'], Count())
        for line in item['lines']:
            if line.get('gcovr/noncode'):
                continue
            count.lines += 1
            count.lines_run += line['count'] > 0
            if not line['count']:
                count.not_run.add(line['line_number'])
            count.branches += len(line['branches'])
            count.branches_run += sum(branch['count'] > 0 for branch in line['branches'])
    return counts


def total_of(counts):
    total = Count()
    for count in counts.values():
        total.add(count)
    return total


def git(*arguments):
    return subprocess.run(['git', *arguments], check=True, text=True, stdout=subprocess.PIPE).stdout


def changed_lines(base):
    """{file: set of the line numbers that are new or changed since base}."""
    changed, name = {}, None
    for line in git('diff', '--unified=0', '--no-color', '--no-ext-diff', '--src-prefix=a/', '--dst-prefix=b/',
                    base, '--', *FOLDERS).splitlines():
        if line.startswith('+++ '):
            name = line[6:] if line.startswith('+++ b/') else None
        hunk = re.match(r'@@ -\S+ \+(\d+)(?:,(\d+))? @@', line)
        if hunk and name:
            first, count = int(hunk.group(1)), int(hunk.group(2) or 1)
            changed.setdefault(name, set()).update(range(first, first + count))
    return changed


def stretches(numbers):
    """[3, 4, 5, 9] as "3-5", "9"."""
    out = []
    for number in sorted(numbers):
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return [f'{a}' if a == b else f'{a}-{b}' for a, b in out]


def shown(percent):
    return '-' if percent is None else f'{percent:.1f}%'


def change(now, before):
    if now is None or before is None:
        return '-'
    return f'{now - before:+.1f}' if abs(now - before) >= 0.05 else '0'


def print_files(counts, names, before=None):
    head = '| File | Lines | run | | Branches | run | |'
    print(head + (' Lines since base | Branches since base |' if before is not None else ''))
    print('|:--|--:|--:|--:|--:|--:|--:|' + ('--:|--:|' if before is not None else ''))
    for name in names:
        count = counts[name]
        row = f'| {name} | {count.lines} | {count.lines_run} | {shown(count.percent("lines"))} '
        row += f'| {count.branches} | {count.branches_run} | {shown(count.percent("branches"))} |'
        if before is not None:
            old = before.get(name, Count())
            for what in ('lines', 'branches'):
                row += f' {change(count.percent(what), old.percent(what)) if name in before else "new"} |'
        print(row)
    print()


def print_fold(title, counts, names, before=None):
    if names:
        print(f'<details><summary>{title}</summary>\n')
        print_files(counts, names, before)
        print('</details>\n')


def print_change(counts, changed):
    """Which lines of the change no test runs."""
    missing = {name: numbers & counts[name].not_run for name, numbers in changed.items() if name in counts}
    missing = {name: numbers for name, numbers in missing.items() if numbers}
    count = sum(len(numbers) for numbers in missing.values())
    if not count:
        print('Every line of the change that can be run is run by a test.\n')
        return
    print(f'**{count} {"line" if count == 1 else "lines"} of the change {"is" if count == 1 else "are"} not run by any '
          'test:**\n')
    left = LISTED_MAX
    for name in sorted(missing, key=lambda n: (-len(missing[n]), n)):
        parts = stretches(missing[name])
        print(f'- {name}: {", ".join(parts[:left])}{", ..." if len(parts) > left else ""}')
        left -= len(parts)
        if left <= 0:
            print('- more are in the pages')
            break
    print()


def print_since_base(counts, before, changed):
    """What moved since the base: files that the change touches, and others."""
    moved = [name for name in sorted(counts) if name in before and counts[name].numbers() != before[name].numbers()]
    direct = [name for name in sorted(counts) if name in changed]
    indirect = [name for name in moved if name not in changed]
    if direct:
        print_files(counts, direct, before)
    print(f'{len(indirect)} {"file" if len(indirect) == 1 else "files"} that the change does not touch '
          f'{"is" if len(indirect) == 1 else "are"} run differently.\n')
    print_fold('Changed only indirectly', counts, indirect, before)


def read_floor(text):
    floor = {}
    for line in text.splitlines():
        words = line.split('#')[0].split()
        if len(words) == 2 and words[0] in ('lines', 'branches'):
            floor[words[0]] = float(words[1])
        elif words:
            raise ValueError(f'the floor has a line that is not understood: {line}')
    if len(floor) != 2:
        raise ValueError('the floor must say lines and branches')
    return floor


def check_floor(total, path, base):
    """@return what is wrong with the floor: a list of sentences."""
    with open(path, encoding='utf-8') as file:
        floor = read_floor(file.read())
    wrong = []
    for what, least in floor.items():
        percent = total.percent(what)
        if percent is None or percent < least:
            wrong.append(f'{what}: {shown(percent)} is below the floor of {least}%: test what the change adds')
        elif percent >= least + 1:
            print(f'The floor of {what}, {least}%, can rise: {path}.\n')
    if base:
        old = subprocess.run(['git', 'show', f'{base}:{path}'], text=True, check=False, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        for what, least in (read_floor(old.stdout) if old.returncode == 0 else {}).items():
            if floor[what] < least:
                wrong.append(f'the floor of {what} went down from {least}% to {floor[what]}%: it only rises')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('coverage')
    parser.add_argument('--floor')
    parser.add_argument('--base')
    parser.add_argument('--base-json')
    options = parser.parse_args()
    counts = read_counts(options.coverage)
    total = total_of(counts)
    before = read_counts(options.base_json) if options.base_json else None

    print('## Coverage\n')
    line = f'{len(counts)} files. Lines: {total.lines_run} of {total.lines} are run, {shown(total.percent("lines"))}'
    old = total_of(before) if before else None
    line += f' ({change(total.percent("lines"), old.percent("lines"))} since the base)' if old else ''
    line += f'. Branches: {total.branches_run} of {total.branches}, {shown(total.percent("branches"))}'
    line += f' ({change(total.percent("branches"), old.percent("branches"))})' if old else ''
    print(line + '.\n')
    if options.base:
        changed = changed_lines(options.base)
        print_change(counts, changed)
        if before:
            print_since_base(counts, before, changed)
    wrong = check_floor(total, options.floor, options.base) if options.floor else []
    for sentence in wrong:
        print(f'**Below the floor.** {sentence}.\n')
    print_fold('All files', counts, sorted(counts), before)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    try:
        main()
    except (OSError, ValueError, KeyError) as error:
        print(f'coverage: {error}', file=sys.stderr)
        sys.exit(3)
