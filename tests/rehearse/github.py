# SPDX-License-Identifier: MIT
"""A repository on the stand-in: its state file, the runs of its workflows and their artifacts."""
import datetime
import io
import json
import os
import zipfile

REPOSITORY, REPOSITORY_ID = 'acme/tracer', 100
FORK, FORK_ID = 'mallory/tracer', 200
TOKEN = 'ghs_stand_in_secret'  # as tests/contract/stand_in.h has it


class Pipe(io.RawIOBase):
    """A file that can only be written on: what upload-artifact streams its archive into."""

    def __init__(self):
        super().__init__()
        self.data = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.data += data
        return len(data)


def make_zip(files):
    """An archive as upload-artifact makes it: deflated, sizes behind the data."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bytes(pipe.data)


class GitHub:
    """The state, kept in a file that the stand-in reads and writes."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, 'state.json')
        self.clock = datetime.datetime(2026, 7, 20, 8, 0, tzinfo=datetime.timezone.utc)
        self.next_run, self.next_artifact = 1, 1
        os.makedirs(folder, exist_ok=True)
        self.save({'pulls': [], 'runs': [], 'artifacts': [], 'comments': {}, 'compare': {}})

    def load(self):
        with open(self.path, encoding='utf-8') as file:
            return json.load(file)

    def save(self, state):
        with open(self.path, 'w', encoding='utf-8') as file:
            json.dump(state, file)

    def now(self):
        """The time, which a step of the story moves on."""
        self.clock += datetime.timedelta(hours=1)
        return self.clock.strftime('%Y-%m-%dT%H:%M:%SZ')

    def open_pull(self, number, owner, repository_id, branch, sha, base_sha):
        state = self.load()
        state['pulls'].append({
            'number': number, 'state': 'open', 'locked': False, 'created_at': self.now(),
            'head': {'ref': branch, 'sha': sha, 'user': {'login': owner}, 'repo': {'id': repository_id}},
            'base': {'ref': 'main', 'sha': base_sha, 'repo': {'id': REPOSITORY_ID}}})
        self.save(state)

    def push_pull(self, number, sha):
        state = self.load()
        for pull in state['pulls']:
            if pull['number'] == number:
                pull['head']['sha'] = sha
        self.save(state)

    def add_merge_base(self, head, merge_base, date):
        state = self.load()
        state['compare'][f'main...{head}'] = {
            'merge_base_commit': {'sha': merge_base, 'commit': {'committer': {'date': date}}}}
        self.save(state)

    def start_run(self, event, branch, sha, repository=REPOSITORY, repository_id=REPOSITORY_ID, again=None):
        """A run of the benchmark workflow, or another attempt of one."""
        if again:
            return {**again, 'run_attempt': again['run_attempt'] + 1, 'run_started_at': self.now()}
        created = self.now()
        number = self.next_run
        self.next_run += 1
        return {'id': 5000 + number, 'run_number': number, 'run_attempt': 1, 'event': event, 'status': 'completed',
                'conclusion': 'success', 'head_sha': sha, 'head_branch': branch,
                'path': '.github/workflows/benchmark.yml', 'workflow_id': 1, 'created_at': created,
                'run_started_at': created,
                'repository': {'id': REPOSITORY_ID},
                'head_repository': {'id': repository_id, 'full_name': repository}}

    def end_run(self, run, conclusion):
        """The run is completed. @return the event that starts the report workflow"""
        state = self.load()
        run = {**run, 'conclusion': conclusion, 'updated_at': self.now()}
        listed = {key: value for key, value in run.items() if key not in ('run_started_at', 'updated_at')}
        state['runs'] = [old for old in state['runs'] if old['id'] != run['id']] + [listed]
        self.save(state)
        owner = run['head_repository']['full_name'].split('/')[0]
        return {'action': 'completed',
                'repository': {'id': REPOSITORY_ID, 'full_name': REPOSITORY, 'default_branch': 'main'},
                'workflow_run': {**run, 'pull_requests': [],
                                 'head_repository': {**run['head_repository'], 'owner': {'login': owner}}}}

    def upload(self, run, name, files):
        """Keep an artifact of a run."""
        state = self.load()
        identity = self.next_artifact
        self.next_artifact += 1
        data = make_zip(files)
        path = os.path.join(self.folder, f'{identity}.zip')
        with open(path, 'wb') as file:
            file.write(data)
        state['artifacts'].append({
            'id': identity, 'name': name, 'file': path, 'expired': False, 'created_at': self.now(),
            'size_in_bytes': len(data),
            'workflow_run': {'id': run['id'], 'repository_id': REPOSITORY_ID,
                             'head_repository_id': run['head_repository']['id'],
                             'head_branch': run['head_branch'], 'head_sha': run['head_sha']}})
        self.save(state)

    def expire(self, run_id):
        """What is left of a run after 90 days: artifacts are listed, and gone."""
        state = self.load()
        for artifact in state['artifacts']:
            if artifact['workflow_run']['id'] == run_id:
                artifact['expired'] = artifact['gone'] = True
        self.save(state)

    def comments(self, number):
        """The texts of a pull request's comments."""
        return [comment['body'] for comment in self.load()['comments'].get(str(number), [])]
