# SPDX-License-Identifier: MIT
"""Where a rehearsal plays: the repository, the machine that jobs run on, and GitHub.

One machine stands for all: the result of another platform is this one's under that platform's name, and the
build folder outlives the jobs, which is what makes a rehearsal shorter than the real thing."""
import json
import os
import re
import shutil
import subprocess

import github
import workflow
from expression import evaluate, expand
from workflow import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
MARKER = '<!-- tracetax:benchmark -->\n'
OURS = 'OWNER/tracetax'  # how docs/setup.md calls this repository
KEPT = ('PATH', 'LANG', 'CMAKE_BUILD_PARALLEL_LEVEL', 'TERM')


def git(folder, *arguments):
    """What git prints. Identity and time are fixed, the person's settings stay out."""
    environment = {**os.environ, 'GIT_CONFIG_GLOBAL': os.devnull, 'GIT_CONFIG_SYSTEM': os.devnull,
                   'GIT_AUTHOR_NAME': 'A', 'GIT_AUTHOR_EMAIL': 'a@example.org',
                   'GIT_COMMITTER_NAME': 'A', 'GIT_COMMITTER_EMAIL': 'a@example.org'}
    return subprocess.run(['git', '-C', folder, *arguments], env=environment, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


class Stage:
    """Repository, runner and GitHub of one rehearsal."""

    def __init__(self, folder, stand_in):
        self.folder, self.stand_in = folder, stand_in
        self.origin = os.path.join(folder, 'origin')
        self.variables = {'TRACETAX_SUITE': 'tests/rehearse/suite.json'}
        for name in ('home', 'tmp', 'runner'):
            os.makedirs(os.path.join(folder, name))
        base = {name: os.environ[name] for name in KEPT if name in os.environ}
        base.update(HOME=os.path.join(folder, 'home'), TMPDIR=os.path.join(folder, 'tmp'), CI='true',
                    RUNNER_TEMP=os.path.join(folder, 'runner'), GITHUB_ACTIONS='true', MEASURE_ROUNDS='6',
                    GIT_CONFIG_GLOBAL=os.devnull)
        uses = {'actions/checkout': self.checkout, 'actions/upload-artifact': self.upload, OURS: self.act}
        self.workspace = os.path.join(folder, 'work')
        self.runner = workflow.Runner(os.path.join(folder, 'machine'), self.workspace, base, uses)
        self.github = github.GitHub(os.path.join(folder, 'github'))
        self.copy_source()
        self.benchmark = workflow.load(os.path.join(SOURCE, '.github/workflows/benchmark.yml'))
        self.report = workflow.load(os.path.join(SOURCE, '.github/workflows/report.yml'))
        self.run = self.row = self.real_platform = None
        self.pull = self.fork_pull = self.main_run = None  # of the story
        self.baseline_texts = {}

    def copy_source(self):
        """The first commit: this tree as it is, whether committed or not."""
        names = subprocess.run(['git', '-C', SOURCE, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                               check=True, stdout=subprocess.PIPE).stdout.decode().split('\0')
        for name in filter(None, names):
            if os.path.isfile(os.path.join(SOURCE, name)):
                os.makedirs(os.path.dirname(os.path.join(self.origin, name)), exist_ok=True)
                shutil.copy2(os.path.join(SOURCE, name), os.path.join(self.origin, name))
        git(self.origin, 'init', '--quiet', '--initial-branch', 'main')
        git(self.origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
        self.commit('main')

    def commit(self, branch, start=None, name='NOTES', files=None):
        """One more commit on a branch. @return its id"""
        if start:
            git(self.origin, 'checkout', '--quiet', '--detach', start)
        elif branch != 'main' or git(self.origin, 'rev-list', '--all', '--count') != '0':
            git(self.origin, 'checkout', '--quiet', '--detach', f'refs/heads/{branch}')
        path = os.path.join(self.origin, name)
        with open(path, 'a', encoding='utf-8') as file:
            file.write('another line\n')
        for name, text in (files or {}).items():
            with open(os.path.join(self.origin, name), 'w', encoding='utf-8') as file:
                file.write(text)
        git(self.origin, 'add', '--all')
        git(self.origin, 'commit', '--quiet', '--message', f'another commit on {branch}')
        commit = git(self.origin, 'rev-parse', 'HEAD')
        git(self.origin, 'update-ref', f'refs/heads/{branch}', commit)
        return commit

    # What `uses:` stands for.

    def checkout(self, runner, given, environment, played):
        """actions/checkout, as far as our workflows ask for it."""
        if given.get('persist-credentials') is not False:
            raise Failure('a checkout keeps the token in .git/config')
        wanted = given.get('ref') or environment['GITHUB_SHA']
        if not os.path.isdir(self.workspace):
            git(self.folder, 'init', '--quiet', '--initial-branch', 'main', self.workspace)
            git(self.workspace, 'remote', 'add', 'origin', self.origin)
        git(self.workspace, 'fetch', '--quiet', 'origin', wanted, '+refs/heads/*:refs/remotes/origin/*')
        git(self.workspace, 'checkout', '--quiet', '--force', '--detach', wanted)
        git(self.workspace, 'clean', '--quiet', '-d', '--force')  # build/ is ignored and stays

    def upload(self, runner, given, environment, played):
        """actions/upload-artifact with one file."""
        path = os.path.join(self.workspace, given['path'])
        if not re.fullmatch(r'[^"\\/:<>|*?\r\n]+', given['name']):
            raise Failure(f"no name for an artifact: {given['name']}")
        if not os.path.isfile(path):
            played.log += f"no files were found: {given['path']}\n"
            return
        with open(path, encoding='utf-8') as file:
            text = file.read()
        if os.path.basename(path) == 'result.json':
            text = self.relabel(text)
        self.github.upload(self.run, given['name'], {os.path.basename(path): text})

    def act(self, runner, given, environment, played):
        """Our own action, out of a checkout of this repository. A few rounds will do."""
        rounds = {'rounds': '6'} if given.get('command', 'run') == 'run' else {}
        runner.play_action(self.workspace, {**rounds, **given}, {'github': {}}, environment, played)

    def relabel(self, text):
        """What another machine would have written of itself."""
        result = json.loads(text)
        self.real_platform = result['platform']['id']
        if self.row.get('platform', self.real_platform) == self.real_platform:
            return text
        result['platform'].update(id=self.row['platform'], arch=self.row['platform'].split('-')[1])
        return json.dumps(result)

    # Runs of the two workflows.

    def environment(self, run, event):
        path = os.path.join(self.folder, 'event.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(event, file)
        return {'GITHUB_EVENT_PATH': path, 'GITHUB_RUN_ID': str(run['id']), 'GITHUB_SHA': run['head_sha'],
                'GITHUB_RUN_ATTEMPT': str(run['run_attempt']), 'GITHUB_REPOSITORY': github.REPOSITORY,
                'GITHUB_REPOSITORY_ID': str(github.REPOSITORY_ID), 'GITHUB_SERVER_URL': 'https://github.com'}

    def measure(self, run, event, only=lambda row: True, broken=lambda row: None, variables=None):
        """Play the benchmark workflow. @return the event of its end"""
        self.run = run
        name = run['event']
        triggers = self.benchmark['on']
        if name not in triggers or (name == 'push' and run['head_branch'] not in triggers['push']['branches']):
            raise Failure(f'benchmark.yml is not started by a {name}')
        context = {'github': {'event': event, 'event_name': name, 'sha': run['head_sha'], 'ref': 'refs/x',
                              'run_id': run['id']},
                   'vars': {**self.variables, **(variables or {})}}
        evaluate(self.benchmark['concurrency']['group'].strip()[len('benchmark-'):].strip('${} '), context)
        job = self.benchmark['jobs']['measure']
        conclusion = 'success'
        for row in workflow.rows(job, context):
            self.row = row
            if not only(row) or row['platform'].startswith('macos-'):
                continue # a Mac's job is a Mac's to play
            if not expand(job['runs-on'], {**context, 'matrix': row}):
                raise Failure(f'no runner for {row}')
            # a merge of a pull request is what GITHUB_SHA names
            environment = self.environment(run, event)
            if name == 'pull_request':
                environment['GITHUB_SHA'] = 'e' * 40
            played = self.runner.play(self.benchmark, job, {**context, 'matrix': row}, environment, broken(row))
            if github.TOKEN in played.log:
                raise Failure('a measuring job saw the token')
            expected = broken(row) is not None
            if played.failed != expected:
                raise Failure(f'the job of {row} {"failed" if played.failed else "passed"}:\n{played.log}')
            if not expected and '### ' not in played.summary:
                raise Failure(f'the job of {row} has no summary:\n{played.log}')
            conclusion = 'failure' if played.failed else conclusion
        return self.github.end_run(run, conclusion)

    def write_report(self, event, expect_failure=False):
        """Play the report workflow, as the end of a benchmark run starts it."""
        trigger = self.report['on']['workflow_run']
        if trigger != {'workflows': [self.benchmark['name']], 'types': ['completed']}:
            raise Failure('report.yml is not started by the end of the benchmark workflow')
        job = self.report['jobs']['report']
        if job['permissions'] != {'actions': 'read', 'contents': 'read', 'pull-requests': 'write'}:
            raise Failure(f"report.yml has other permissions: {job['permissions']}")
        main = git(self.origin, 'rev-parse', 'refs/heads/main')
        context = {'github': {'event': event, 'token': github.TOKEN}}
        # its own run is one of the default branch, whatever started it
        self.run = {**event['workflow_run'], 'id': event['workflow_run']['id'] + 100000, 'head_branch': 'main',
                    'head_sha': main, 'head_repository': {'id': github.REPOSITORY_ID}}
        self.row = {}
        environment = {**self.environment(event['workflow_run'], event), 'GITHUB_SHA': main,
                       'GITHUB_WORKFLOW': self.report['name']}
        self.runner.wrap = [self.stand_in, self.github.path]
        try:
            played = self.runner.play(self.report, job, context, environment)
        finally:
            self.runner.wrap = []
        if played.skipped:
            raise Failure('the report was left out')
        if played.failed != expect_failure:
            raise Failure(f'the report {"failed" if played.failed else "passed"}:\n{played.log}')
        for text in (played.log, played.summary):
            if github.TOKEN in text:
                raise Failure('the token was printed')
        return played

    # Stories.

    def open_pull(self, number, branch, repository=github.REPOSITORY, repository_id=github.REPOSITORY_ID):
        """A pull request of one commit, from the first commit of main. @return what the other steps need"""
        first = git(self.origin, 'rev-list', '--max-parents=0', 'main')
        # a branch of a fork is no branch of this repository: its commits can be fetched all the same
        local = branch if repository_id == github.REPOSITORY_ID else f'fork-{number}'
        head = self.commit(local, start=first)
        base = git(self.origin, 'rev-parse', 'main')
        self.github.open_pull(number, repository.split('/')[0], repository_id, branch, head, base)
        pull = {'number': number, 'branch': branch, 'local': local, 'repository': repository,
                'repository_id': repository_id, 'head': head, 'first': first}
        self.tell_merge_base(pull)
        return pull

    def push(self, pull, files=None):
        """One more commit on a pull request."""
        pull['head'] = self.commit(pull['local'], files=files)
        self.github.push_pull(pull['number'], pull['head'])
        self.tell_merge_base(pull)

    def tell_merge_base(self, pull):
        date = git(self.origin, 'show', '--no-patch', '--format=%cI', pull['first'])
        self.github.add_merge_base(pull['head'], pull['first'], date.replace('+00:00', 'Z'))

    def start_pull_run(self, pull, again=None):
        return self.github.start_run('pull_request', pull['branch'], pull['head'], pull['repository'],
                                     pull['repository_id'], again)

    def measure_pull(self, pull, run=None, **how):
        """Play the measuring of a pull request. @return the event of its end"""
        base = git(self.origin, 'rev-parse', 'main')
        event = {'pull_request': {'number': pull['number'], 'head': {'sha': pull['head']}, 'base': {'sha': base}}}
        return self.measure(run or self.start_pull_run(pull), event, **how)

    def push_main(self):
        """A commit on main and its run. @return (run, event of its end)"""
        run = self.github.start_run('push', 'main', self.commit('main'))
        return run, self.measure(run, {})

    def play_maintainer(self, script, fails=False):
        """What a person types in a checkout of main, with a token that may read."""
        played = workflow.Played()
        self.checkout(self.runner, {'persist-credentials': False, 'ref': git(self.origin, 'rev-parse', 'main')}, {},
                      played)
        self.runner.wrap = [self.stand_in, self.github.path]
        try:
            self.runner.play_run({'run': script}, {**self.runner.base, 'GITHUB_TOKEN': github.TOKEN}, {}, played,
                                 'bash -e')
        finally:
            self.runner.wrap = []
        if played.failed != fails:
            raise Failure(f'{script} {"failed" if played.failed else "passed"}:\n{played.log}')
        return played

    def play_example(self, example, run, event=None):
        """Play a workflow that docs/setup.md shows. With an event it is the one that holds a token."""
        self.run, self.row = run, {}
        environment = {**self.environment(run, event or {}), 'GITHUB_WORKFLOW': example['name']}
        context = {'github': {'event': event or {}, **({'token': github.TOKEN} if event else {})}}
        self.runner.wrap = [self.stand_in, self.github.path] if event else []
        try:
            played = self.runner.play(example, next(iter(example['jobs'].values())), context, environment)
        finally:
            self.runner.wrap = []
        if played.failed or played.skipped:
            raise Failure(f'the example of docs/setup.md failed:\n{played.log}')

    # Checks.

    def comment(self, number):
        """The one comment of a pull request."""
        texts = self.github.comments(number)
        if len(texts) != 1 or not texts[0].startswith(MARKER):
            raise Failure(f'pull request {number} has {len(texts)} comments instead of ours alone')
        return texts[0]

    def show(self, number):
        text = self.comment(number)
        print('\n'.join(f'    {line}' for line in text.rstrip('\n').split('\n')))
        return text


def expect(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f'not there: {part}\nin:\n{text}')


def expect_not(text, *parts):
    for part in parts:
        if part in text:
            raise Failure(f'there: {part}\nin:\n{text}')
