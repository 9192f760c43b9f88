# SPDX-License-Identifier: MIT
"""Plays the jobs of a workflow file: its `run:` lines are read out of it and run as a runner would."""
import itertools
import os
import subprocess

import yaml

from expression import evaluate, expand, shown


class Failure(Exception):
    """The rehearsal found something wrong."""


def load(path):
    """A workflow or action file. YAML takes the key `on` for true."""
    with open(path, encoding='utf-8') as file:
        data = yaml.safe_load(file)
    if True in data:
        data['on'] = data.pop(True)
    return data


def rows(job, contexts):
    """The jobs that a matrix stands for: one mapping each."""
    matrix = expand(job.get('strategy', {}).get('matrix', {}), contexts)
    include = matrix.pop('include', [])
    names = list(matrix)
    out = [dict(zip(names, values)) for values in itertools.product(*matrix.values())] if names else []
    for extra in include:
        fits = [row for row in out if all(row.get(key) == extra[key] for key in extra if key in names)]
        for row in fits:
            row.update(extra)
        if not fits:
            out.append(dict(extra))
    return out or [{}]


def condition(item, otherwise):
    """The `if:` of a job or step, without its ${{ }}."""
    text = str(item.get('if', otherwise)).strip()
    return text[3:-2] if text.startswith('${{') and text.endswith('}}') else text


def is_wanted(job, contexts):
    """Does the job run at all?"""
    return evaluate(condition(job, 'true'), contexts)


class Played:
    """What one job did."""

    def __init__(self):
        self.skipped, self.failed, self.outputs, self.summary, self.log = False, False, {}, '', ''


class Runner:
    """A machine that jobs are played on, one after the other.

    uses: what to do for `uses:`, by the action's name: called with (runner, with, environment, played)
    wrap: put in front of a command: the stand-in, where a job talks to GitHub
    """

    def __init__(self, folder, workspace, environment, uses):
        self.folder, self.workspace, self.base, self.uses = folder, workspace, environment, uses
        self.wrap = []
        os.makedirs(folder, exist_ok=True)

    def play(self, workflow, job, contexts, environment, broken=None):
        """Play a job. broken: {name of a step: environment}, what goes wrong on this machine."""
        played = Played()
        if not is_wanted(job, contexts):
            played.skipped = True
            return played
        contexts = {**contexts, 'steps': {}}
        own = {**self.base, **environment}
        for level in (workflow.get('env', {}), job.get('env', {})):
            own.update({key: shown(value) for key, value in expand(level, contexts).items()})
        self.play_steps(job['steps'], contexts, own, played, 'bash -e', broken or {})
        return played

    def play_steps(self, steps, contexts, environment, played, shell, broken):
        functions = {
            'cancelled': lambda: False,
            'always': lambda: True,
            'failure': lambda: played.failed,
            'success': lambda: not played.failed,
            'hashFiles': lambda path: 'x' if os.path.exists(os.path.join(self.workspace, path)) else '',
        }
        for step in steps:
            wanted = condition(step, 'success()')
            # without a word about failures in it, success() is meant, too
            if played.failed and not any(word in wanted for word in ('always()', 'cancelled()', 'failure()')):
                continue
            if not evaluate(wanted, contexts, functions):
                continue
            own = {key: shown(value) for key, value in expand(step.get('env', {}), contexts, functions).items()}
            own = {**environment, **own, **broken.get(step.get('name'), {})}
            if 'run' in step:
                self.play_run(step, own, contexts, played, step.get('shell', shell))
            else:
                self.play_uses(step, own, contexts, functions, played)

    def play_run(self, step, environment, contexts, played, shell):
        if '${{' in step['run']:
            raise Failure(f"an expression in a script: {step['run']}")
        paths = {name: os.path.join(self.folder, name) for name in ('output', 'summary', 'script')}
        for name in ('output', 'summary'):
            open(paths[name], 'w', encoding='utf-8').close()
        with open(paths['script'], 'w', encoding='utf-8') as file:
            file.write(step['run'])
        environment = {**environment, 'GITHUB_OUTPUT': paths['output'], 'GITHUB_STEP_SUMMARY': paths['summary']}
        command = {'bash': ['bash', '--noprofile', '--norc', '-eo', 'pipefail'], 'bash -e': ['bash', '-e']}[shell]
        folder = os.path.join(self.workspace, step.get('working-directory', ''))
        done = subprocess.run([*self.wrap, *command, paths['script']], cwd=folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        played.log += f"$ {step['run'].strip()}\n{done.stdout}"
        if done.returncode == 125 and self.wrap:
            raise Failure(f'the stand-in gave up:\n{done.stdout}')
        played.failed = played.failed or done.returncode != 0
        with open(paths['summary'], encoding='utf-8') as file:
            played.summary += file.read()
        with open(paths['output'], encoding='utf-8') as file:
            outputs = dict(line.rstrip('\n').split('=', 1) for line in file)
        if 'id' in step:
            contexts['steps'][step['id']] = {'outputs': outputs}

    def play_uses(self, step, environment, contexts, functions, played):
        name, _, version = step['uses'].partition('@')
        if name not in self.uses:
            raise Failure(f"nobody knows how to play {step['uses']}")
        if len(version) != 40 and name.startswith('actions/'):
            raise Failure(f"{step['uses']} is not pinned to a commit")
        self.uses[name](self, expand(step.get('with', {}), contexts, functions), environment, played)

    def play_action(self, path, given, contexts, environment, played):
        """Play a composite action of ours."""
        action = load(os.path.join(path, 'action.yml'))
        unknown = set(given) - set(action['inputs'])
        if unknown:
            raise Failure(f'action.yml has no input {sorted(unknown)}')
        inputs = {key: given.get(key, item.get('default', '')) for key, item in action['inputs'].items()}
        contexts = {**contexts, 'inputs': expand(inputs, contexts), 'steps': {}}
        self.play_steps(action['runs']['steps'], contexts, {**environment, 'GITHUB_ACTION_PATH': path}, played,
                        None, {})
