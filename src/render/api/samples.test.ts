import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { SampleRequest } from '../../openapi/sample-call.ts'
import { findSampleLanguage, getLanguageLabel, writeSamples } from '../../openapi/samples.ts'
import { createLibrarySample } from './library-sample.ts'

/** Text that could break out of a literal in one of the languages. */
const NASTY = 'a\'b"c`d\\e${f}#{g}\nh\u2028"""i\'\'\'$(touch x)'
const HEADERS = [
  ['Authorization', 'Bearer <token>'],
  ['X-Nasty', NASTY.replace('\n', ' ')],
] as const
const JSON_VALUE = { name: NASTY, list: [1, true, null, { 'a-b': 1.5 }], empty: {}, none: [] }
const REQUESTS: SampleRequest[] = [
  { method: 'GET', url: 'https://api.example.com/a/{id}?q=1', headers: HEADERS, body: null },
  {
    method: 'POST',
    url: 'https://api.example.com/a',
    headers: [...HEADERS, ['Content-Type', 'application/json']],
    body: { kind: 'json', text: JSON.stringify(JSON_VALUE, null, 2), value: JSON_VALUE },
  },
  { method: 'PUT', url: 'https://x.y/', headers: [], body: { kind: 'text', text: NASTY } },
  {
    method: 'PATCH',
    url: 'https://x.y/',
    headers: [],
    body: { kind: 'form', fields: [{ name: 'a b', value: NASTY }] },
  },
  {
    method: 'POST',
    url: 'https://x.y/',
    headers: [],
    body: {
      kind: 'multipart',
      fields: [
        { name: 'file', value: '<file>', isFile: true },
        { name: 'note', value: NASTY, isFile: false },
      ],
    },
  },
  { method: 'POST', url: 'https://x.y/', headers: [], body: { kind: 'file' } },
  { method: 'TRACE', url: 'https://x.y/', headers: [], body: null },
]
const ALL = 'bash python javascript php go java ruby csharp'.split(' ')

async function sampleOf(language: string, request: SampleRequest): Promise<string> {
  const [sample] = await writeSamples(request, [language])
  assert.ok(sample)
  return sample.code
}

/** Runs an interpreter in syntax-check mode; undefined if it is not installed. */
function check(command: string, args: string[], input: string): string | undefined {
  const { error, status, stderr } = spawnSync(command, args, { input, encoding: 'utf8', timeout: 20_000 })
  return error ? undefined : status === 0 ? '' : stderr
}

test('cURL samples are parsed by a shell as one command, whatever values they contain', async () => {
  for (const request of REQUESTS) {
    const code = await sampleOf('curl', request)
    const shown = code.replace(/^curl/, "printf '%s\\0'")
    const { stdout, status } = spawnSync('bash', ['-c', shown], { encoding: 'utf8' })
    assert.equal(status, 0, code)
    const words = stdout.split('\0')
    assert.equal(words[words.indexOf('--url') + 1], request.url)
    if (request.body?.kind === 'text') assert.ok(words.includes(NASTY))
    if (request.body?.kind === 'json')
      assert.deepEqual(JSON.parse(words[words.indexOf('--data') + 1] ?? ''), JSON_VALUE)
  }
})

test('JavaScript and Python samples have valid syntax and JavaScript sends the given JSON', async () => {
  for (const request of REQUESTS) {
    const script = await sampleOf('js', request)
    assert.equal(check(process.execPath, ['--check', '--input-type=module'], script) ?? '', '', script)
    const python = await sampleOf('py', request)
    const read = 'import ast, sys; ast.parse(sys.stdin.read())'
    assert.equal(check('python3', ['-c', read], python) ?? '', '', python)
  }
  const script = await sampleOf('javascript', REQUESTS[1] as SampleRequest)
  const sent: { url: string; options: RequestInit }[] = []
  const fetch = async (url: string, options: RequestInit) => {
    sent.push({ url, options })
    return { text: async () => '' }
  }
  const run = new Function('fetch', 'console', `return (async () => {${script}\n})()`)
  await run(fetch, { log() {} })
  assert.deepEqual(JSON.parse(String(sent[0]?.options.body)), JSON_VALUE)
})

test('every language has a sample for every body and escapes values that could be evaluated', async () => {
  for (const request of REQUESTS) {
    const samples = await writeSamples(request, ALL)
    assert.deepEqual(
      samples.map(({ title }) => title),
      ['cURL', 'Python', 'JavaScript', 'PHP', 'Go', 'Java', 'Ruby', 'C#'],
    )
    for (const { title, code } of samples) assert.ok(code.length > 40, title)
  }
  const ruby = await sampleOf('ruby', REQUESTS[2] as SampleRequest)
  assert.match(ruby, /\\#\{g\}/)
  const go = await sampleOf('go', REQUESTS[1] as SampleRequest)
  assert.doesNotMatch(go, /NewReader\(`/)
  const csharp = await sampleOf('csharp', REQUESTS[2] as SampleRequest)
  assert.match(csharp, /^"""", Encoding/m)
})

test('samples send files as bytes with their content type', async () => {
  const java = await sampleOf('java', REQUESTS[4] as SampleRequest)
  assert.match(java, /concat\(\n.*ofString\(.*\n.*ofFile\(Path\.of\("file"\)\),\n/)
  assert.match(java, /\.method\("POST", payload\)/)
  const image = { ...(REQUESTS[5] as SampleRequest), headers: [['Content-Type', 'image/png']] as const }
  assert.match(
    await sampleOf('csharp', image),
    /Headers\.TryAddWithoutValidation\("Content-Type", "image\/png"\)/,
  )
})

test('resolves language aliases and ignores unknown languages', async () => {
  assert.deepEqual(['curl', 'Golang', '.NET', 'node.js', 'cpp', 'x'].map(findSampleLanguage), [
    'bash',
    'go',
    'dotnet',
    'node',
    'c++',
    null,
  ])
  assert.equal(getLanguageLabel('shell').label, 'cURL')
  assert.deepEqual(getLanguageLabel('Elixir'), { label: 'Elixir', language: 'elixir' })
  const samples = await writeSamples(
    REQUESTS[0] as SampleRequest,
    ['py', 'python', 'nothing', 'swift'],
    createLibrarySample,
  )
  assert.deepEqual(
    samples.map(({ title }) => title),
    ['Python', 'Swift'],
  )
})
