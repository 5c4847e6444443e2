/** Code samples of pages that are run or compared, tested through the check of a folder. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { resolveFeatures } from '../../src/base/api/features.ts'
import type { Problem } from '../../src/base/errors/problem.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { checkFolder } from '../../src/features/export/check-folder.ts'
import { openSiteProcess } from '../../src/render/site-process.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const API = `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: https://api.shop.example/v1 }]
paths:
  /orders:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
        - { name: status, in: query, schema: { type: string, enum: [open, paid] } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } } }
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    NewOrder: { type: object, required: [item], properties: { item: { type: string }, count: { type: integer, minimum: 1 } } }
    Order: { type: object, required: [id, item], properties: { id: { type: integer }, item: { type: string }, paid: { type: boolean } } }
    Node: { type: object, properties: { next: { $ref: '#/components/schemas/Node' } } }
    Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] }
`
const ORDERS = 'https://api.shop.example/v1/orders'

interface Row {
  info: string
  code: string
  output?: string
  /** Expected problem; null if the sample is right. */
  problem: RegExp | null
}

const RIGHT: Omit<Row, 'problem'>[] = [
  { info: 'js run', code: 'const list = [1, 2]\nconsole.log(list.length, list)', output: '2 [ 1, 2 ]' },
  {
    info: 'ts run',
    code: 'interface A { n: number }\nconst a: A = { n: 3 }\nconsole.log(a)',
    output: '{ n: 3 }',
  },
  { info: 'javascript run', code: "await Promise.resolve()\nconsole.log('done')", output: 'done  ' },
  {
    info: 'js run',
    code: "setTimeout(() => console.log('late'), 60_000)\nconsole.log('early')",
    output: 'early\nlate',
  },
  { info: 'js run', code: 'export const answer = 42' },
  {
    info: 'typescript run',
    code: "type Name = string\nconst name: Name = 'a'\nconsole.log(name satisfies string)",
    output: 'a',
  },
  { info: 'js run', code: 'const wrong = () => { throw new Error() }\ntry { wrong() } catch {}' },
  { info: 'bash run', code: `curl ${ORDERS}?limit=10`, output: '[{"id":1,"item":"x"}]' },
  {
    info: 'curl run',
    code: `curl -X POST ${ORDERS} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"item": "pen", "count": 2}'`,
    output: '{"id":1,"item":"pen"}',
  },
  { info: 'http run', code: 'GET /v1/orders/5 HTTP/1.1\nHost: api.shop.example' },
  { info: 'bash run', code: `curl -X DELETE ${ORDERS}/{id}` },
  { info: 'bash run', code: `curl "${ORDERS}?status=paid"` },
  { info: 'json schema=Order', code: '{ "id": 1, "item": "x" }' },
  { info: 'yaml schema=NewOrder', code: 'item: pen\ncount: 1' },
  { info: 'json schema="Node"', code: '{ "next": { "next": {} } }' },
]
const WRONG: Row[] = [
  {
    info: 'js run',
    code: 'const a = 1\nconsole.log(missing)',
    problem: /ReferenceError: missing is not defined/,
  },
  {
    info: 'ts run',
    code: 'const a: number = 3\nconsole.log(a)',
    output: '4',
    problem: /It prints "3" instead of "4"/,
  },
  { info: 'js run', code: "throw new Error('no')", problem: /Error: no/ },
  { info: 'js run', code: "await Promise.reject(new Error('later'))", problem: /Error: later/ },
  { info: 'js run', code: "import x from 'y'\nx()", problem: /cannot import packages/ },
  { info: 'js run', code: 'const = 3', problem: /SyntaxError/ },
  { info: 'json run', code: '{ "id": 1 }', problem: /Add schema=Name to its code fence/ },
  {
    info: 'bash run',
    code: 'curl https://api.shop.example/v1/order',
    problem: /The API has no path \/v1\/order/,
  },
  {
    info: 'bash run',
    code: `curl ${ORDERS}?limit=1000`,
    problem: /limit is invalid: it is more than its maximum 100/,
  },
  { info: 'bash run', code: `curl ${ORDERS}?page=2`, problem: /no query parameter page/ },
  {
    info: 'curl run',
    code: `curl ${ORDERS} -d '{"count": 2}'`,
    problem: /The request body is invalid: item is missing/,
  },
  {
    info: 'http run',
    code: 'PUT /v1/orders/5 HTTP/1.1',
    problem: /no PUT \/v1\/orders\/5, only GET, DELETE/,
  },
  {
    info: 'bash run',
    code: `curl ${ORDERS}/5`,
    output: '{"id":"5","item":"x"}',
    problem: /The response is invalid: id is a string/,
  },
  { info: 'json schema=Order', code: '{ "id": 1 }', problem: /item is missing/ },
  { info: 'yaml schema=Missing', code: 'a: 1', problem: /No API description .* schema named Missing/ },
]
/** Scripts that must each end as a problem. */
const HOSTILE = [
  'for (;;) {}',
  'while (true) await 0',
  'setInterval(() => { for (;;) {} })',
  'setInterval(() => { const end = Date.now() + 20; while (Date.now() < end); })',
  'const a = []\nfor (;;) a.push(new Array(1e6).fill(7))',
  '"x".repeat(2 ** 29).split("")',
  'const f = () => f() + f()\nf()',
  'await fetch("http://127.0.0.1/")',
  'process.getBuiltinModule("fs").readFileSync("/etc/passwd")',
  'require("child_process").fork("x")',
  'new Function("return process")().exit()',
  '})(); (async () => { throw 1',
  'JSON.stringify = () => "no"\nthrow 3',
]

function format({ info, code, output }: Omit<Row, 'problem'>): string {
  const fence = (meta: string, text: string) => `\`\`\`${meta}\n${text}\n\`\`\`\n\n`
  return `Text.\n\n${fence(info, code)}${output === undefined ? '' : fence('text output', output)}`
}

async function check(
  pages: Record<string, string>,
  settings: object = {},
  sampleRunner: string | null = null,
): Promise<Problem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-samples-'))
  try {
    const navigation = {
      tabs: [
        { tab: 'Guide', pages: Object.keys(pages) },
        { tab: 'API', openapi: 'api.yaml' },
      ],
    }
    await writeSite(folder, {
      'docs.json': JSON.stringify({
        name: 'S',
        theme: 'mint',
        colors: { primary: '#0F766E' },
        navigation,
        ...settings,
      }),
      'api.yaml': API,
      ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${name}.mdx`, text])),
    })
    const { signal } = new AbortController()
    const input = { folder, deployment: 'client-hosted', log: silentLog, report: () => {}, signal } as const
    const { problems } = await checkFolder({ ...input, sampleRunner })
    return problems.filter(({ code }) => code.startsWith('sample.'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('of thirty samples, exactly the wrong half is reported, each at its lines', async () => {
  let text = '---\ntitle: Samples\n---\n\n'
  const expected: [start: number, end: number, problem: RegExp][] = []
  for (const [index, right] of RIGHT.entries()) {
    text += format(right)
    const { problem, ...wrong } = WRONG[index] as Row
    const start = text.split('\n').length + 2
    text += format(wrong)
    expected.push([start, start + wrong.code.split('\n').length, problem as RegExp])
  }
  const problems = (await check({ index: text })).sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  assert.equal(problems.length, WRONG.length, JSON.stringify(problems, null, 1))
  for (const [index, [start, end, problem]] of expected.entries()) {
    const { line, message } = problems[index] as Problem
    assert.match(message, problem)
    assert.ok(line !== null && line >= start && line <= end, `line ${line} of ${message}, expected ${start}`)
  }
  assert.equal(problems[0]?.line, (expected[0]?.[0] ?? 0) + 2, 'an error is reported at its own line')
})

test('a self-referencing schema and a number with leading zeros do not break the check', async () => {
  const rows = [
    { info: 'json schema=Loop', code: '{}' },
    { info: 'bash run', code: `curl ${ORDERS}?limit=007` },
  ]
  const problems = await check({ index: `---\ntitle: Loop\n---\n\n${rows.map(format).join('')}` })
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['The bash sample fails: The parameter limit is invalid: it is a string instead of integer.'],
  )
})

test('each hostile script is reported as a problem and does not affect other samples', async () => {
  const rows = HOSTILE.map((code) => ({ info: 'js run', code }))
  const last = { info: 'js run', code: 'console.log(1)', output: '1' }
  const problems = await check({
    index: `---\ntitle: Hostile\n---\n\n${[...rows, last].map(format).join('')}`,
  })
  assert.equal(problems.length, HOSTILE.length, JSON.stringify(problems, null, 1))
})

test('samples without run are not run, and their output blocks are not compared', async () => {
  assert.deepEqual(
    await check({
      index: `---\ntitle: Plain\n---\n\n${format({ info: 'js', code: 'throw 1', output: 'x' })}${format({ info: 'json', code: '{' })}`,
    }),
    [],
  )
})

test('runs samples in the languages that docs.json names, except fences with run=false', async () => {
  const rows = [
    { info: 'JS', code: 'throw new Error("named")' },
    { info: 'js run=false', code: 'throw new Error("left out")' },
    { info: 'ts', code: 'throw new Error("another language")' },
    { info: 'sh', code: 'ls' },
    { info: 'sh', code: 'curl -X DELETE https://api.example.com/nowhere' },
  ]
  const problems = await check(
    { index: `---\ntitle: Named\n---\n\n${rows.map(format).join('')}` },
    { samples: { run: ['js', 'sh'] } },
  )
  assert.deepEqual(
    problems.map(({ message }) => /^The (js|sh) sample fails/.exec(message)?.[1]).sort(),
    ['js', 'sh'],
    JSON.stringify(problems),
  )
})

/** Shell samples, since the operator's command here is a shell. `$1` is the language. */
const PROGRAMS: Row[] = [
  { info: 'python run', code: 'echo one; echo two', output: 'one\ntwo', problem: null },
  { info: 'ruby run', code: 'echo "$1 of $#"', output: 'ruby of 1', problem: null },
  { info: 'bash run', code: 'echo "$1"', output: 'bash', problem: null },
  { info: 'python run', code: 'pwd | grep -c octavo-sample-; ls | wc -l', output: '1\n0', problem: null },
  { info: 'python run', code: 'echo "[$NOT_FOR_SAMPLES]"', output: '[]', problem: null },
  { info: 'python run', code: 'sleep 1000 &', problem: null },
  { info: 'python run', code: 'echo 3', output: '4', problem: /It prints "3" instead of "4"/ },
  { info: 'python run', code: 'echo no file >&2; exit 3', problem: /It exits with code 3: no file\./ },
  { info: 'python run', code: 'yes', problem: /It writes more than 100000 bytes/ },
  { info: 'python run', code: 'kill -9 $$', problem: /exits with code 137/ },
  {
    info: '--privileged run',
    code: 'echo 1',
    problem: /The name of its language cannot be passed to a command/,
  },
]

test('the command of the operator runs samples in other languages with limits and no environment', async () => {
  const text = '---\ntitle: Programs\n---\n\n'
  process.env.NOT_FOR_SAMPLES = 'secret'
  const before = await readdir(tmpdir())
  const problems = await check({ index: text + PROGRAMS.map(format).join('') }, {}, 'sh -s -- ')
  delete process.env.NOT_FOR_SAMPLES
  const wrong = PROGRAMS.filter(({ problem }) => problem !== null)
  assert.equal(problems.length, wrong.length, JSON.stringify(problems, null, 1))
  for (const [index, { problem }] of wrong.entries())
    assert.match(problems[index]?.message ?? '', problem as RegExp)
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith('octavo-sample-'))
  assert.deepEqual(
    left.filter((name) => !before.includes(name)),
    [],
  )
})

test('without a command, samples in other languages are reported as hints', async () => {
  const rows = [
    { info: 'python run', code: 'print(1)' },
    { info: 'rust', code: 'fn main() {}' },
    { info: 'go', code: 'package main' },
  ]
  const problems = await check(
    { index: `---\ntitle: None\n---\n\n${rows.map(format).join('')}` },
    { samples: { run: ['rust'], runner: 'touch /tmp/never' } },
  )
  assert.deepEqual(
    problems.map(({ level, code, line, message }) => [level, code, line, message.slice(0, 26)]),
    [
      ['hint', 'sample.not_run', 7, 'The python sample is not r'],
      ['hint', 'sample.not_run', 13, 'The rust sample is not run'],
    ],
  )
})

test('the restricted process of a published site also runs the sample command', async () => {
  await using guardedFetch = createGuardedFetch()
  await using site = openSiteProcess({
    ...{ objects: openMemoryStore(), guardedFetch, log: silentLog, renderChildren: 1, siteMemoryMb: 512 },
    ...{ projectId: 'prj_own', sampleRunner: 'sh -s -- ' },
  })
  const text = [
    { info: 'python run', code: 'pwd | grep -c octavo-sample-', output: '1' },
    { info: 'python run', code: 'exit 7' },
  ]
  const { problems } = await site.build(
    openMemoryTree({ ...smallSite(1), 'page-1.mdx': text.map(format).join('') }),
    {
      ...{ deployment: 'client-hosted', origin: null, siteId: null, platformUrl: null, repository: null },
      ...{ features: resolveFeatures('client-hosted', {}), widgets: {} },
    },
    () => {},
    patience(),
  )
  assert.deepEqual(
    problems.filter(({ code }) => code.startsWith('sample.')).map(({ message }) => message),
    ['The python sample fails: It exits with code 7.'],
  )
})
