/**
 * Passes two megabytes of hostile text to everything in the server process that still reads untrusted content. A scan
 * that is not linear would take hours, and hits the timeout of the file.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PermanentError } from '../../src/base/errors/permanent-error.ts'
import { diffFile } from '../../src/base/files/diff-file.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { sha256 } from '../../src/base/hash.ts'
import { silentLog } from '../../src/base/log.ts'
import { createReviewTexts } from '../../src/features/agent/review/review-texts.ts'
import { canonicalPagePath } from '../../src/features/feedback/intake/page-path.ts'
import { codeBlocks, findCodeBlock } from '../../src/features/hosting/serve/code-blocks.ts'
import { createPageLibrary } from '../../src/features/hosting/serve/page-library.ts'
import { pageTwinHeaders } from '../../src/features/hosting/serve/page-twins.ts'
import { redirectFor } from '../../src/features/hosting/serve/redirects.ts'
import { createSiteServer } from '../../src/features/hosting/serve/serve-site.ts'
import { blobKey, type SiteManifest } from '../../src/render/versions/manifest.ts'
import { MAX_MANIFEST_BYTES, readManifest, saveManifest } from '../../src/render/versions/site-versions.ts'
import { OPEN_GATE, publicSite } from '../kit/hosted-site.ts'
import { openMemoryStore } from '../kit/memory-store.ts'

const SIZE = 2_000_000

function repeated(text: string): string {
  return text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE)
}

function emptyManifest(): SiteManifest {
  return {
    format: 1,
    octavo: '0',
    revision: 'content:0',
    deployment: 'cloud',
    features: {} as SiteManifest['features'],
    pageCount: 0,
    files: {},
    redirects: [],
  }
}

/** Stores a version with these pages and lists, by file name. */
async function storeVersion(texts: Record<string, string>) {
  const objects = openMemoryStore()
  const manifest = emptyManifest()
  for (const [name, text] of Object.entries(texts)) {
    const hash = sha256(text)
    await objects.put(blobKey(hash), gzipSync(text))
    const contentType = name.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
    manifest.files[name] = { sha256: hash, sizeBytes: Buffer.byteLength(text), contentType }
  }
  return { objects, manifestKey: await saveManifest(objects, manifest) }
}

for (const [what, text] of [
  ['a fence that does not end in its line', `${repeated('`')}\rx`],
  ['tildes before a line end of another kind', `${repeated('~')}\u2028x`],
  ['a heading of spaces', `# a${repeated(' ')}b\rx`],
  ['a heading of marks', `# a${repeated(' #')}x`],
  ['spaces within a line of a block', `\`\`\`\n${repeated(' ')}x\n\`\`\``],
  ['empty lines within a block', `\`\`\`\n${repeated('\n')}x\n\`\`\``],
  ['blocks without end', repeated('```\n')],
  ['titles without an end', `\`\`\`js ${repeated("title='")}`],
] as const) {
  test(`scans code blocks of a hostile page in linear time: ${what}`, () => {
    assert.ok(codeBlocks(text).length <= 1000)
    const found = findCodeBlock(text, 'a()\nb()')
    assert.ok(found === null || found.number > 0)
    assert.doesNotThrow(() => findCodeBlock('```\na()\n```\n', text))
  })
}

test('a page list with unterminated entries still yields the titles of the complete ones', async () => {
  const list = `- [Start](https://docs.example.com/start.md)\n${repeated('- [a\n')}- [End](/end.md)\n`
  const { objects, manifestKey } = await storeVersion({
    'llms.txt': list,
    'start.html': '',
    'end.html': '',
    'start.md': `# ${repeated(' ')}\rx`,
  })
  const library = createPageLibrary({ objects, log: silentLog })
  const titles = await library.titles(manifestKey)
  assert.deepEqual([titles.get('/start'), titles.get('/end')], ['Start', 'End'])
  assert.equal((await library.markdown(manifestKey, '/start'))?.title, 'Start')
})

test('a page over the text limit has no Markdown, and the version keeps its titles', async () => {
  const large = repeated('text ').repeat(3)
  const { objects, manifestKey } = await storeVersion({ 'start.html': '', 'start.md': large })
  const library = createPageLibrary({ objects, log: silentLog })
  assert.equal(await library.markdown(manifestKey, '/start'), null)
  assert.ok((await library.titles(manifestKey)).has('/start'))
})

test('a manifest over the size limit is neither saved nor parsed', async () => {
  const objects = openMemoryStore()
  const destination = `/${'x'.repeat(2000)}`
  const redirects = Array.from({ length: 20_000 }, (_, number) => {
    return { source: `/${number}`, destination, isPermanent: true }
  })
  await assert.rejects(saveManifest(objects, { ...emptyManifest(), redirects }), (error: Error) => {
    assert.ok(error instanceof PermanentError)
    assert.match(error.message, /Combine redirects with wildcards, or split the site\./)
    return true
  })
  await objects.put('manifests/large.json', Buffer.alloc(MAX_MANIFEST_BYTES + 1, '['))
  await assert.rejects(readManifest(objects, 'manifests/large.json'), /exceeds the limit for a manifest/)
})

test('matches redirects against a two-megabyte path and carries the rest of the path over', () => {
  const prefix = '/a'.repeat(900)
  const rules = Array.from({ length: 1000 }, (_, number) => {
    return { source: `${prefix}/${number}/*`, destination: `/to/${number}/*`, isPermanent: true }
  })
  const rest = repeated('é/')
  const found = redirectFor(rules, `${prefix}/7/${rest}x`)
  assert.ok(found?.destination.startsWith('/to/7/%C3%A9/'))
  assert.equal(redirectFor(rules, `${prefix}/${repeated('/')}`), null)
})

test('reads file names and feedback paths in one pass', () => {
  const name = `_octavo/${repeated('.abcdef0123')}`
  assert.deepEqual(pageTwinHeaders({ files: {} }, `${name}.md`), {})
  assert.equal(canonicalPagePath(`/${repeated('?#')}`), '/')
  assert.equal(canonicalPagePath(repeated('/')), '/')
  assert.equal(canonicalPagePath(`/${repeated('%')}`), null)
})

test('compares If-None-Match tags one by one, also in a two-megabyte header', async () => {
  const { objects, manifestKey } = await storeVersion({ 'index.html': 'Hi' })
  const server = createSiteServer({ objects, gate: OPEN_GATE, findSite: async () => publicSite(manifestKey) })
  const ask = (ifNoneMatch: string) =>
    server.handle({
      host: 'docs.example.com',
      method: 'HEAD',
      target: '/',
      acceptEncoding: '',
      accept: '',
      ifNoneMatch,
      address: '127.0.0.1',
      userAgent: '',
    })
  assert.equal((await ask(`"a"${repeated(' ')}x`))?.status, 200)
  assert.equal((await ask(`"a" ,  W/"${sha256('Hi')}" , "b"`))?.status, 304)
})

for (const [what, before, after] of [
  ['of empty lines', null, repeated('\n')],
  ['of characters that nobody sees', '', repeated(`${'\u200b'.repeat(3000)}\n`)],
  ['in one line', repeated('a '), repeated('b ')],
  ['that shares nothing with what was there', repeated('x\ny\n'), repeated('a\nb\n')],
] as const) {
  test(`the diff of a change ${what} is bounded`, () => {
    const diff = diffFile(before, after)
    assert.ok(diff.hunks.reduce((sum, hunk) => sum + hunk.length, 0) <= 20_000)
  })
}

test('a file too large for a review is replaced by a message', async () => {
  const large = repeated('x\n')
  const trees = { a: openMemoryTree({ 'a.mdx': 'before' }), b: openMemoryTree({ 'a.mdx': large }) }
  const repository = {
    address: 'https://example.com/docs.git',
    docsFolder: '',
    changedFiles: async () => [{ path: 'a.mdx', change: 'modified' as const }],
    openDocs: async (commit: string) => trees[commit as 'a' | 'b'],
  }
  const texts = createReviewTexts()
  const [changed] = await texts.read({ repository, from: 'a', to: 'b' }, new AbortController().signal)
  assert.equal(changed?.before, 'before')
  assert.match(
    changed?.after ?? '',
    /^This file has 2000000 bytes, more than 1048576\. See it in the branch\./,
  )
})
