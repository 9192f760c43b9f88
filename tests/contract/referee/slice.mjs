// SPDX-License-Identifier: MIT
// Cuts GitHub's description of its REST API (13 MB) down to what the reporter uses.
//   node slice.mjs api.github.com.json >github-api.json
// IN is generated/api.github.com.json of the package @octokit/openapi (README.md names the version).
// Examples and prose are left out. Fails when GitHub no longer describes a path.
import fs from 'node:fs';

const repository = '/repos/{owner}/{repo}';
const wanted = [
  '/pulls', '/actions/artifacts', '/actions/artifacts/{artifact_id}/{archive_format}',
  '/actions/runs/{run_id}/artifacts', '/actions/workflows/{workflow_id}/runs', '/compare/{basehead}',
  '/issues/{issue_number}/comments', '/issues/comments/{comment_id}',
].map(path => repository + path);
const full = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const components = {};

// Keys of a schema's `properties` are names, not keywords: they stay, whatever they are.
function strip(value, areNames = false) {
  if (Array.isArray(value)) return value.map(item => strip(item));
  if (!value || typeof value !== 'object') return value;
  const out = {};
  for (const [key, item] of Object.entries(value)) {
    const isProse = !areNames &&
      (['description', 'summary', 'example', 'examples', 'externalDocs', 'tags', 'title'].includes(key) || key.startsWith('x-'));
    if (!isProse) out[key] = strip(item, !areNames && key === 'properties');
  }
  return out;
}

function collect(value) {
  if (!value || typeof value !== 'object') return;
  if (typeof value.$ref === 'string') {
    const [, , kind, name] = value.$ref.split('/');
    components[kind] ??= {};
    if (!(name in components[kind])) {
      components[kind][name] = strip(full.components[kind][name]);
      collect(components[kind][name]);
    }
  }
  Object.values(value).forEach(collect);
}

const paths = {};
for (const path of wanted) {
  if (!full.paths[path]) throw new Error(`GitHub's description has no ${path}`);
  paths[path] = strip(full.paths[path]);
}
collect(paths);
console.log(JSON.stringify({ openapi: full.openapi, info: { version: full.info.version }, paths, components }));
