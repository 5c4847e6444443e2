import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'

const COUNT = 6000
const FILES = 300
/** Limit of processor time; entries × operations, or entries × descriptions, would take minutes. */
const MOST_SECONDS = 20

function descriptionOf(operations: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: operations })
}

/** `settings` are added next to the navigation with these entries. */
async function problemsOf(entries: string[], scope: unknown, files: Record<string, string>) {
  const navigation = { groups: [{ group: 'API', openapi: scope, pages: ['index', ...entries] }] }
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation }
  const before = process.cpuUsage()
  const site = await loadSite(
    openMemoryTree({ 'index.mdx': 'Words.', 'docs.json': JSON.stringify(settings), ...files }),
  )
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1e6 < MOST_SECONDS, `it took ${(user + system) / 1e6} s of processor time`)
  return site.problems
}

const numbers = Array.from({ length: COUNT }, (_, number) => number)

test('reports thousands of unknown operations within the CPU limit', async () => {
  const paths = Object.fromEntries(numbers.map((number) => [`/things/${number}/part`, { get: {} }]))
  const entries = numbers.map((number) => `GET /thinks/${number}/parts`)
  const problems = await problemsOf(entries, 'api.json', { 'api.json': descriptionOf(paths) })
  assert.equal(problems.filter(({ code }) => code === 'api.operation_missing').length, COUNT)
})

test('reports a missing API description once per scope, regardless of the number of entries', async () => {
  const missing = Array.from({ length: FILES }, (_, number) => `missing-${number}.json`)
  const entries = numbers.map((number) => `GET /gone/${number}`)
  const problems = await problemsOf(entries, missing, {})
  assert.equal(problems.filter(({ code }) => code === 'api.spec_missing').length, FILES)
  const unknown = problems.filter(({ code }) => code === 'api.operation_missing')
  assert.equal(unknown.length, COUNT)
  assert.match(unknown[0]?.message ?? '', /in missing-0\.json, .+ and 295 more\./)
})

test('reports remote API descriptions once, not for each page that references their operations', async () => {
  const urls = ['https://api.example.com/a.json', 'https://api.example.com/b.json']
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, api: { openapi: urls } }
  const { problems } = await loadSite(
    openMemoryTree({
      'docs.json': JSON.stringify({ ...settings, navigation: { pages: ['one', 'two'] } }),
      'one.mdx': '---\nopenapi: GET /one\n---\n',
      'two.mdx': '---\nopenapi: GET /two\n---\n',
    }),
  )
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['api.spec_remote', 'api.spec_remote'],
  )
})

test('looks up thousands of operations across all API descriptions within the CPU limit', async () => {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, number) => [
      `api/${number}.json`,
      descriptionOf({ [`/of/${number}`]: { get: {} } }),
    ]),
  )
  const entries = numbers.map((number) => `GET /of/${number}`)
  const problems = await problemsOf(entries, undefined, files)
  assert.equal(problems.filter(({ code }) => code === 'api.operation_missing').length, COUNT - FILES)
})

test('numbers thousands of operations with the same route within the CPU limit', async () => {
  const paths = Object.fromEntries(
    numbers.map((number) => [`/things/${number}`, { get: { summary: 'Same' } }]),
  )
  const entries = numbers.map((number) => `GET /things/${number}`)
  assert.deepEqual(await problemsOf(entries, 'api.json', { 'api.json': descriptionOf(paths) }), [])
})
