// SPDX-License-Identifier: MIT
// Holds every exchange of the contract tests against GitHub's own description of its REST API: the
// request whole, and of the stand-in's answer each field that it gives.
//   node referee.mjs LOG      LOG: one exchange a line, as tests/contract/stand_in.c writes it
// Exit status 1 when something is not as GitHub describes it, or when nothing was checked.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(process.env.REFEREE_MODULES + '/');
const Ajv = require('ajv').default;
const addFormats = require('ajv-formats').default;

// OpenAPI 3.0 has `nullable` where JSON Schema has the type null.
function nullable(key, value) {
  if (!value || typeof value !== 'object' || value.nullable !== true) return value;
  const { nullable: _, ...rest } = value;
  return { anyOf: [rest, { enum: [null] }] };
}
// The stand-in answers only what the reporter reads: what is there must be right.
const partial = (key, value) => (key === 'required' && Array.isArray(value) ? undefined : nullable(key, value));

const text = fs.readFileSync(new URL('github-api.json', import.meta.url), 'utf8');
const options = { strict: false, allErrors: true, validateSchema: false, logger: false };
const whole = addFormats(new Ajv(options)).addSchema(JSON.parse(text, nullable), 'github');
const loose = addFormats(new Ajv({ ...options, coerceTypes: true })).addSchema(JSON.parse(text, nullable), 'github');
const answers = addFormats(new Ajv(options)).addSchema(JSON.parse(text, partial), 'github');
const api = JSON.parse(text);
const partialApi = JSON.parse(text, partial);

function resolve(root, value) {
  while (value?.$ref) value = value.$ref.slice(2).split('/').reduce((at, key) => at[key], root);
  return value;
}

const compiled = new Map();
function check(ajv, schema, value) {
  const key = schema;
  if (!compiled.has(key)) {
    const absolute = JSON.parse(JSON.stringify(schema), (k, v) => (k === '$ref' ? 'github' + v : v));
    compiled.set(key, ajv.compile(absolute));
  }
  const validate = compiled.get(key);
  return validate(value) ? [] : validate.errors.map(e => `${e.instancePath || '(whole)'} ${e.message}`);
}

const operations = Object.entries(api.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    template, method: method.toUpperCase(), operation,
    answer: partialApi.paths[template][method],
    pattern: new RegExp('^' + template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)') + '$'),
  })));

function checkParameters(operation, inPath, query) {
  const found = [];
  const known = new Set();
  for (const parameter of (operation.parameters ?? []).map(p => resolve(api, p))) {
    const value = parameter.in === 'path' ? inPath[parameter.name] : query[parameter.name];
    if (parameter.in === 'query') known.add(parameter.name);
    if (value === undefined) {
      if (parameter.required) found.push(`${parameter.name} is missing`);
      continue;
    }
    found.push(...check(loose, parameter.schema, value).map(e => `${parameter.name}: ${e}`));
  }
  for (const name of Object.keys(query)) {
    if (!known.has(name)) found.push(`the query ${name} is not described`);
  }
  if (+(query.per_page ?? 0) > 100) found.push('per_page is over 100');
  return found;
}

function checkBody(operation, raw) {
  const wanted = resolve(api, operation.requestBody);
  if (!wanted) return raw ? ['a body where none is described'] : [];
  let body;
  try {
    body = JSON.parse(raw ?? '');
  } catch {
    return ['the body is not JSON'];
  }
  const schema = wanted.content['application/json'].schema;
  const found = check(whole, schema, body).map(e => `body: ${e}`);
  for (const key of Object.keys(body)) {
    if (!schema.properties?.[key]) found.push(`the body's field ${key} is not described`);
  }
  return found;
}

// What is not as described; [] when all is.
function judge(exchange) {
  const url = new URL(exchange.url, 'http://127.0.0.1');
  const here = operations.filter(o => o.method === exchange.method && o.pattern.test(exchange.path.replaceAll('#', '%23')));
  const found = here[0];
  if (!found) return ['the description has no such method and path'];
  const inPath = exchange.path.match(found.pattern)?.groups ?? {};
  const query = Object.fromEntries(Object.entries(exchange.query ?? Object.fromEntries(url.searchParams)));
  const errors = [...checkParameters(found.operation, inPath, query), ...checkBody(found.operation, exchange.body)];
  if (exchange.failed || !exchange.answer) return errors;
  const described = resolve(partialApi, found.answer.responses[exchange.status]);
  if (!described && exchange.status < 400) return [...errors, `the status ${exchange.status} is not described`];
  const schema = described?.content?.['application/json']?.schema;
  return schema ? [...errors, ...check(answers, schema, exchange.answer).map(e => `answer: ${e}`)] : errors;
}

// A referee that lets everything pass is none.
const R = '/repos/acme/tracer';
const comments = `${R}/issues/7/comments`;
const wrong = [
  { method: 'GET', path: `${R}/nothing`, url: `${R}/nothing`, status: 200 },
  { method: 'PUT', path: comments, url: comments, status: 200 },
  { method: 'POST', path: comments, url: comments, status: 201, body: '{"bdy":"x"}' },
  { method: 'POST', path: comments, url: comments, status: 201, body: '{"body":7}' },
  { method: 'GET', path: comments, url: `${comments}?per_page=abc`, status: 200 },
  { method: 'GET', path: comments, url: `${comments}?author=x`, status: 200 },
  { method: 'GET', path: `${R}/issues/x/comments`, url: `${R}/issues/x/comments`, status: 200 },
  { method: 'GET', path: comments, url: comments, status: 200, answer: [{ id: 'seven' }] },
];
for (const exchange of wrong) {
  if (!judge(exchange).length) {
    console.log(`the referee lets this pass: ${JSON.stringify(exchange)}`);
    process.exit(1);
  }
}

let checked = 0;
let faults = 0;
const seen = new Set();
for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n')) {
  if (!line) continue;
  const exchange = JSON.parse(line);
  if (exchange.path.startsWith('/_blob/')) continue;
  checked++;
  seen.add(`${exchange.method} ${operations.find(o => o.method === exchange.method && o.pattern.test(exchange.path))?.template}`);
  for (const error of new Set(judge(exchange))) {
    faults++;
    if (faults <= 20) console.log(`${exchange.method} ${exchange.url}: ${error}`);
  }
}
console.log(`${checked} exchanges of ${seen.size} operations checked against GitHub's description ${api.info.version}: ${faults} faults`);
for (const operation of [...seen].sort()) console.log(`  ${operation}`);
process.exit(faults || !checked ? 1 : 0);
