/** Tests `octavo mcp` over stdio with a folder, a bundle and an archive, without a network. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { silentLog } from '../../src/base/log.ts'
import { measureBundle, openBundle } from '../../src/features/export/archive/archive.ts'
import { extractFiles } from '../../src/features/export/archive/verify-archive.ts'
import { createFolderRequest, openFolderSource } from '../../src/features/export/folder-source.ts'
import { buildSite } from '../../src/render/build.ts'
import { PAGE_LIST_FILE } from '../../src/render/outputs/page-list.ts'
import { createSiteFiles } from '../../src/render/versions/site-files.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import type { Sighting } from '../kit/network-sentinel.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'
import { clientOf, type Era, SHOP } from './mcp-scene.ts'

let folder: string
let archive: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-mcp-'))
  archive = join(folder, 'shop.tar.gz')
  // Remote API descriptions and images must not be fetched.
  await writeSite(join(folder, 'docs'), {
    ...SHOP,
    'remote.mdx':
      '---\ntitle: Remote\nopenapi: https://specs.example.com/api.json GET /far\n---\n![](https://images.example.com/a.png)',
  })
  await makeArchive(join(folder, 'docs'), archive)
})
after(() => rm(folder, { recursive: true, force: true }))

async function makeArchive(docs: string, archive: string): Promise<void> {
  const signal = patience()
  await using source = await openFolderSource({ folder: docs, log: silentLog, isOffline: true, signal })
  await using objects = openMemoryStore()
  const deps = { ...source.deps, files: createSiteFiles(objects), children: 1 }
  const request = createFolderRequest({ deployment: 'air-gapped' })
  const { manifest } = await buildSite(deps, source.tree, request, () => {}, signal)
  const measured = await measureBundle(objects, manifest, signal)
  await pipeline(openBundle(objects, manifest, measured), createWriteStream(archive))
}

const SENTINEL = new URL('../kit/network-sentinel.ts', import.meta.url).href

/** Runs the command with the official client and asserts that it made no network requests. */
async function serve(place: string, era: Era, act: (client: ReturnType<typeof clientOf>) => Promise<void>) {
  const seen = join(folder, `seen-${era}-${Math.random()}`)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', SENTINEL, MAIN, 'mcp', place, '--no-cache'],
    env: { ...(PROGRAM_ENV as Record<string, string>), OCTAVO_TEST_SENTINEL: seen },
    stderr: 'ignore',
  })
  const client = clientOf(era)
  await client.connect(transport)
  try {
    await act(client)
  } finally {
    await client.close()
  }
  const lines = await readFile(seen, 'utf8').catch(() => '')
  const sightings = lines
    .split('\n')
    .filter(Boolean)
    .map((line): Sighting => JSON.parse(line))
  assert.deepEqual(
    sightings.filter(({ kind }) => kind !== 'spawn'),
    [],
    'nothing is asked of the network',
  )
}

async function readShop(client: ReturnType<typeof clientOf>): Promise<void> {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search_docs', 'read_page', 'list_pages', 'list_operations', 'read_operation'],
  )
  const found = await client.callTool({ name: 'search_docs', arguments: { query: 'partial refund' } })
  assert.equal(
    (found.structuredContent as { results: { path: string }[] }).results[0]?.path,
    '/guides/refunds',
  )
  const page = await client.callTool({ name: 'read_page', arguments: { path: '/guides/refunds' } })
  assert.match(page.content[0]?.text ?? '', /three days/)
  const listed = await client.callTool({ name: 'list_operations' })
  assert.equal((listed.structuredContent as { operations: object[] }).operations.length, 2)
  const { resources } = await client.listResources()
  const uri = resources.find(({ name }) => name === '/guides/refunds')?.uri ?? ''
  assert.equal(uri, 'docs:///guides/refunds.md')
  assert.match((await client.readResource({ uri })).contents[0]?.text ?? '', /three days/)
  const skill = resources.find(({ name }) => name === 'skill refund')?.uri ?? ''
  assert.match((await client.readResource({ uri: skill })).contents[0]?.text ?? '', /Ask for the order/)
  const none = await client
    .callTool({ name: 'submit_feedback', arguments: { path: '/', feedback: 'x' } })
    .catch(() => null)
  assert.equal(none, null)
}

test('builds and serves a folder of docs', () => serve(join(folder, 'docs'), '2026-07-28', readShop))

test('searches a bundle that has no search index and reads nothing outside of the bundle', async () => {
  const bundle = join(folder, 'bundle')
  const files = await extractFiles(createReadStream(archive), () => true, 1e9)
  const secret = join(folder, 'secret.md')
  await writeFile(secret, 'a secret of the machine')
  const page = {
    href: '',
    title: 'X',
    description: null,
    language: 'en',
    version: null,
    place: [],
    operation: null,
  }
  const planted = ['../secret.md', secret, 'linked.md'].map((file, n) =>
    JSON.stringify({ ...page, route: `/x${n}`, file }),
  )
  const list = `${files.get(PAGE_LIST_FILE)}${planted.join('\n')}\n`
  const texts = [...files].map(([path, bytes]) => [path, bytes.toString('utf8')])
  await writeSite(bundle, { ...Object.fromEntries(texts), [PAGE_LIST_FILE]: list })
  await symlink(secret, join(bundle, 'linked.md'))
  await serve(bundle, 'legacy', async (client) => {
    await readShop(client)
    for (const path of ['/x0', '/x1', '/x2']) {
      const read = await client.callTool({ name: 'read_page', arguments: { path } })
      assert.deepEqual([read.isError, /secret of/.test(JSON.stringify(read))], [true, false])
    }
  })
})

test('serves an archive directly and refuses a truncated one', async () => {
  await serve(archive, '2026-07-28', readShop)
  const whole = await readFile(archive)
  const half = join(folder, 'half.tar.gz')
  await writeFile(half, whole.subarray(0, whole.length / 2))
  assert.match(await failed(half), /cannot be unpacked/)
})

test('refuses a missing folder with a message and writes nothing to stdout', async () => {
  assert.match(await failed(join(folder, 'nowhere')), /There is no archive or folder/)
})

async function failed(place: string): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'mcp', place], {
    env: PROGRAM_ENV,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  assert.equal(stdout.join(''), '')
  assert.notEqual(child.exitCode, 0)
  return stderr.join('')
}
