# SPDX-License-Identifier: MIT
"""Plays the whole loop without GitHub: what the workflows run is read out of them and run, artifacts are zipped
as upload-artifact does, and the reporter talks to the stand-in.
  rehearse.py STAND_IN [SCENE...]
Prints the comments that come of it, and ends with "N passed, N failed". Scenes build on those before them, so that
SCENE, a part of a name, only chooses where to stop."""
import json
import os
import re
import sys
import tempfile
import traceback
import zipfile

import yaml

import github
from expression import expand
from stage import SOURCE, Failure, Stage, expect, expect_not, git
from workflow import is_wanted, load

EVIL_BRANCH = 'fix"$(touch${IFS}pwned)`touch${IFS}pwned`'


def waiting(_):
    """Of reports that wait GitHub keeps the newest: none stands in another's way"""
    run = {'event': 'pull_request', 'workflow_id': 1, 'head_branch': 'main', 'head_repository': {'id': 200}}
    others = ({'event': 'workflow_dispatch'}, {'event': 'push'}, {'workflow_id': 2}, {'head_branch': 'x'},
              {'head_repository': {'id': 100}})
    ours = load(os.path.join(SOURCE, '.github/workflows/report.yml'))
    for name, report in (('report.yml', ours), ('docs/setup.md', examples()[1])):
        def group(change, report=report):
            return expand(report['concurrency']['group'], {'github': {'event': {'workflow_run': {**run, **change}}}})

        for other in others:
            if group(other) == group({}):
                raise Failure(f'{name}: a run with {other} pushes out the report of a pull request that waits')
        pushes = {'event': 'push'}, {'event': 'push', 'workflow_id': 2}
        if group(pushes[0]) != group(pushes[1]):
            raise Failure(f'{name}: two pushes extend the history of main at once')
        for job in report['jobs'].values():
            wanted = [event for event in ('pull_request', 'push', 'workflow_dispatch', 'schedule', 'merge_group')
                      if is_wanted(job, {'github': {'event': {'workflow_run': {**run, 'event': event}}}})]
            if wanted != ['pull_request', 'push']:
                raise Failure(f'{name}: its job is for {wanted}')


def first_run(stage):
    """The first run of a pull request: there is no baseline"""
    stage.pull = stage.open_pull(7, 'faster')
    stage.write_report(stage.measure_pull(stage.pull))
    text = stage.show(7)
    expect(text, 'Compared with the base build', '2 of 2 platforms reported', stage.pull['head'][:7], '### Linux x64', '### Linux arm64')
    expect_not(text, 'previous PR run', 'with `main`')


def main_push(stage):
    """A push to main: it becomes the baseline, and there is no comment"""
    before = stage.github.load()['comments']
    stage.main_run, event = stage.push_main()
    stage.write_report(event)
    state = stage.github.load()
    if state['comments'] != before:
        raise Failure('a push to main wrote a comment')
    names = [artifact['name'] for artifact in state['artifacts']]
    if names.count('tracetax-history') != 1:
        raise Failure(f'the history of main was not kept: {names}')


def second_push(stage):
    """A second push: compared with the previous run, and with main"""
    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(stage.pull))
    text = stage.show(7)
    expect(text, stage.pull['head'][:7], 'the base build', 'previous PR run at', 'with `main` at',
           stage.main_run['head_sha'][:7])


def fork(stage):
    """A fork's pull request, with a branch whose name would like to be a command"""
    stage.fork_pull = stage.open_pull(8, EVIL_BRANCH, github.FORK, github.FORK_ID)
    stage.write_report(stage.measure_pull(stage.fork_pull))
    text = stage.show(8)
    expect(text, '2 of 2 platforms reported', stage.fork_pull['head'][:7], 'with `main` at')
    expect_not(text, 'previous PR run at')
    for folder, _, names in os.walk(stage.folder):
        if 'pwned' in names:
            raise Failure(f'the name of a branch was run: {folder}/pwned')


def forged(stage):
    """A fork whose branch is called main uploads forged results for another pull request"""
    comment_before = stage.comment(7)
    state = stage.github.load()
    genuine = next(a for a in state['artifacts'] if a['workflow_run']['id'] == stage.main_run['id'])
    result = json.loads(read_artifact(genuine))
    for target in result['targets']:  # as if main were a thousand times slower
        tracked = target['arms']['tracked']
        tracked['samples_ns'] = [ns * 1000 for ns in tracked['samples_ns']]
        for name in ('overhead_ratio', 'overhead_ratio_low', 'overhead_ratio_high'):
            target.pop(name, None)
    head = stage.commit('fork-9', start=stage.pull['first'])
    attack = stage.github.start_run('pull_request', 'main', head, github.FORK, github.FORK_ID)
    for claim in (stage.pull['head'], stage.main_run['head_sha']):
        result['commit'] = claim
        stage.github.upload(attack, f"tracetax-{result['platform']['id']}", {'result.json': json.dumps(result)})
    stage.github.upload(attack, 'tracetax-history', {'history.json': '{}'})
    stage.github.upload(attack, 'pr-number', {'NR': '7'})
    event = stage.github.end_run(attack, 'success')
    # no pull request of the fork is open: nothing is written anywhere
    stage.write_report(event)
    if stage.comment(7) != comment_before:
        raise Failure('a stranger changed the comment of pull request 7')
    # with one open, its own comment is all that it reaches
    stage.github.open_pull(9, github.FORK.split('/', maxsplit=1)[0], github.FORK_ID, 'main', head, stage.pull['first'])
    stage.write_report(event)
    stage.show(9)
    if stage.comment(7) != comment_before:
        raise Failure('a stranger changed the comment of pull request 7')
    # and main's baseline is the genuine one
    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(stage.pull))
    text = stage.comment(7)
    expect(text, stage.main_run['head_sha'][:7])
    expect_not(text, head[:7], str(attack['id']))
    if re.search(r'\| -99\.\d+%<br>', text):
        raise Failure(f'the forged numbers are the baseline:\n{text}')


def read_artifact(artifact):
    """The one file of an artifact."""
    with zipfile.ZipFile(artifact['file']) as archive:
        return archive.read(archive.namelist()[0])


def one_fails(stage):
    """One platform fails: its last row stays, marked with its age"""
    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(
        stage.pull, broken=lambda row: {'Build and measure': {'MEASURE_SUITE': '/nowhere'}}
        if row['platform'] == 'linux-aarch64' else None))
    text = stage.show(7)
    expect(text, '1 of 2 platforms reported', 'The run ended as *failure*', 'No result from this commit',
           'Below is the last one of this PR')


def again(stage):
    """That run, run again: the second attempt has both platforms"""
    stage.write_report(stage.measure_pull(stage.pull, run=stage.start_pull_run(
        stage.pull, again=next(run for run in stage.github.load()['runs'] if run['head_sha'] == stage.pull['head']))))
    text = stage.show(7)
    expect(text, '2 of 2 platforms reported', 'attempt 2')
    expect_not(text, 'No result from this commit')


def baselines(stage):
    """make baselines: main's newest results become files, which are checked"""
    forged_head = git(stage.origin, 'rev-parse', 'fork-9')
    played = stage.play_maintainer('make baselines REPOSITORY=acme/tracer && make check-baselines')
    expect(played.log, f"run {stage.main_run['id']}", stage.main_run['head_sha'])
    expect_not(played.log, forged_head)
    for platform in ('linux-x86_64', 'linux-aarch64'):
        with open(os.path.join(stage.workspace, 'baselines', f'{platform}.json'), encoding='utf-8') as file:
            stage.baseline_texts[f'baselines/{platform}.json'] = file.read()
    stage.commit('main', files=stage.baseline_texts)
    wrong = stage.play_maintainer("sed -i 's/linux-aarch64/linux-x86_64/' baselines/linux-aarch64.json; "
                                  "make check-baselines", fails=True)
    expect(wrong.log, 'linux-aarch64.json')


def expired(stage):
    """Every artifact has expired: the committed baseline serves"""
    for run in stage.github.load()['runs']:
        stage.github.expire(run['id'])
    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(stage.pull))
    text = stage.show(7)
    expect(text, 'with the committed baseline at', stage.main_run['head_sha'][:7])
    expect_not(text, 'previous PR run at', 'with `main` at')


def shards(stage):
    """Five shards, of which one is missing: its rows are missing, and it is no pass"""
    everything = {'TRACETAX_SHARDS': json.dumps([f'{i}of5' for i in range(1, 6)])}

    def x64(row):
        return row['platform'] == 'linux-x86_64'

    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(stage.pull, only=x64, variables=everything))
    whole = stage.comment(7)
    expect_not(whole, 'parts reported', 'did not report')
    stage.push(stage.pull)
    stage.write_report(stage.measure_pull(
        stage.pull, only=x64, variables=everything,
        broken=lambda row: {'Build and measure': {'MEASURE_SUITE': '/nowhere'}} if row['shard'] == '3of5' else None))
    text = stage.show(7)
    x64_part = text.split('### Linux x64')[1].split('### ')[0]
    expect(x64_part, '4 of 5 parts reported')
    row = next((line for line in x64_part.splitlines() if line.startswith('| static open-close |')), 'no row')
    expect(row, 'missing')
    expect_not(row, 'unchanged', 'improved', 'inconclusive')
    top = text.split('### ')[0]
    expect(top, '1 of 5 parts did not report')
    expect_not(top, '**No regression.**')


def examples():
    """The two workflows that docs/setup.md shows."""
    with open(os.path.join(SOURCE, 'docs', 'setup.md'), encoding='utf-8') as file:
        blocks = [part.split('```')[0] for part in file.read().split('```yaml\n')[1:]]
    workflows = [data for data in map(yaml.safe_load, blocks) if isinstance(data, dict) and 'jobs' in data]
    if len(workflows) != 2:
        raise Failure(f'docs/setup.md has {len(workflows)} whole workflows instead of 2')
    return workflows


def action(stage):
    """Another project measures its tracker with our action, as docs/setup.md shows"""
    measure, report = examples()
    with open(os.path.join(SOURCE, 'suites', 'strace.json'), encoding='utf-8') as file:
        suite = file.read()
    pull = stage.open_pull(10, 'theirs')
    stage.push(pull, files={'bench.json': suite})
    run = stage.start_pull_run(pull)
    stage.play_example(measure, run)
    names = [a['name'] for a in stage.github.load()['artifacts'] if a['workflow_run']['id'] == run['id']]
    if names != [f'tracetax-{stage.real_platform}']:
        raise Failure(f'the action uploaded {names}')
    stage.play_example(report, run, stage.github.end_run(run, 'success'))
    expect(stage.show(10), '| dynamic |', '1,024 total open-and-close operations', pull['head'][:7])


SCENES = (waiting, first_run, main_push, second_push, fork, forged, one_fails, again, baselines, expired, shards, action)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    last = sys.argv[2] if len(sys.argv) > 2 else None
    passed = 0
    with tempfile.TemporaryDirectory(prefix='tracetax-rehearse.') as folder:
        stage = Stage(folder, os.path.abspath(sys.argv[1]))
        for scene in SCENES:
            print(f'\n== {scene.__doc__}', flush=True)
            try:
                scene(stage)
            except Failure as failure:
                print(f'FAILED: {failure}')
                break  # the next ones build on it
            except Exception:  # pylint: disable=broad-exception-caught
                traceback.print_exc(file=sys.stdout)
                break
            passed += 1
            if last and last in scene.__name__:
                print(f'stopped after {scene.__name__}')
                break
        else:
            last = None
    done = passed == len(SCENES) or (last and last in SCENES[passed - 1].__name__)
    print(f'\n{passed} passed, {0 if done else 1} failed')
    sys.exit(0 if done else 1)


if __name__ == '__main__':
    main()
