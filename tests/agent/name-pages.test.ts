/** Which pages name what a patch has changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { type ChangedCode, findNamingPages } from '../../src/features/agent/edit/name-pages.ts'
import { readPatchLines } from '../../src/features/agent/edit/patch-lines.ts'

const page = (text: string) => `---\ntitle: Page\n---\n\n${text}\n`

const SITE = {
  'docs.json': '{}',
  'guides/cli.mdx': page(
    'Set it with `acme deploy --region eu`.\n\n```sh\nacme deploy --region us --dry\n```',
  ),
  'guides/prose.mdx': page('The word region and the words parseRegion and --region stand in no code here.'),
  'api/users.mdx': page('```bash\ncurl https://api.acme.example/v1/users/{user_id}/keys?all=1\n```'),
  'api/other.mdx': page('```bash\ncurl https://api.acme.example/v1/orders\n```'),
  'sdk.mdx': page('Call `parseRegion()`, of `src/region.ts`.'),
  'config.mdx': page('<ParamField path="retries" type="number">How often.</ParamField>\n\nAlso `timeout`.'),
  'snippets/de.txt': '`--region`',
  '.hidden/page.mdx': page('`--region`'),
}

function patchOf(path: string, lines: readonly string[], at = 10): string {
  const removed = lines.filter((line) => line.startsWith('-')).length
  const added = lines.filter((line) => line.startsWith('+')).length
  const head = [`diff --git a/${path} b/${path}`, 'index 1..2 100644', `--- a/${path}`, `+++ b/${path}`]
  return [...head, `@@ -${at},${removed} +${at},${added} @@`, ...lines, ''].join('\n')
}

async function named(changed: Partial<ChangedCode>, site: Record<string, string> = SITE) {
  const { pages } = await findNamingPages(openMemoryTree(site), { paths: [], patch: '', ...changed })
  return Object.fromEntries(pages.map(({ file, names }) => [file, names.map(({ name }) => name)]))
}

test('an option, an address, an identifier and a file are found in the code of pages, and not in prose', async () => {
  assert.deepEqual(await named({ patch: patchOf('src/cli.ts', ["-  .option('--region <name>')"]) }), {
    'guides/cli.mdx': ['--region'],
  })
  const route = "+app.get('/v1/users/:id/keys', list)"
  assert.deepEqual(await named({ patch: patchOf('src/routes.ts', [route]) }), {
    'api/users.mdx': ['v1/users/{}/keys'],
  })
  assert.deepEqual(await named({ patch: patchOf('src/r.ts', ['+export function parseRegion(text) {']) }), {
    'sdk.mdx': ['parseRegion'],
  })
  assert.deepEqual(await named({ paths: ['src/region.ts'] }), { 'sdk.mdx': ['src/region.ts'] })
})

test('one plain word is not enough, two are; the names of parameters count', async () => {
  const settings = (...lines: string[]) => named({ patch: patchOf('settings.yaml', lines) })
  assert.deepEqual(await settings('+retries: 3'), {})
  assert.deepEqual(await settings('+retries: 3', '-timeout: 10'), { 'config.mdx': ['retries', 'timeout'] })
})

test('lines are told, and a file that only moved has not changed', async () => {
  const { pages, ranges } = await findNamingPages(openMemoryTree(SITE), {
    paths: ['src/cli.ts'],
    patch: patchOf('src/cli.ts', ["-.option('--region')", "+.option('--region <name>')"], 30),
  })
  assert.deepEqual(ranges, [{ path: 'src/cli.ts', ranges: [[30, 30]] }])
  assert.deepEqual(pages, [{ file: 'guides/cli.mdx', names: [{ name: '--region', line: 5 }] }])
  const moved =
    patchOf('src/old.ts', ["-.option('--region')"]) + patchOf('src/new.ts', ["+  .option('--region')"])
  assert.deepEqual(await named({ patch: moved }), {})
})

test('what looks like the head of a file in a changed line is a line', () => {
  const [file, ...more] = readPatchLines(patchOf('src/a.ts', ['--- a/b.ts', '+++ b/b.ts', '+@@ -1 +1 @@']))
  assert.deepEqual(more, [])
  assert.deepEqual([file?.path, file?.lines], ['src/a.ts', ['-- a/b.ts', '++ b/b.ts', '@@ -1 +1 @@']])
})

test('a name that many pages have tells none of them apart', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`p${n}.mdx`, page('Run `acme --verbose`.')]),
  )
  const site = { ...many, 'one.mdx': page('`--verbose` and `--colour`') }
  const patch = patchOf('cli.ts', ["+'--verbose'", "+'--colour'"])
  assert.deepEqual(await named({ patch }, site), { 'one.mdx': ['--colour'] })
})

test('hostile patches and pages take the time of their size', async () => {
  const long = `+${"'--a/".repeat(200_000)}`
  const many = Array.from({ length: 60_000 }, (_, n) => `+const someName${n} = '/v1/${'x/'.repeat(20)}${n}'`)
  const deep = page(
    `\`\`\`\n${'/a'.repeat(100_000)}\n${'--x'.repeat(100_000)}\n${'{<:'.repeat(50_000)}\n\`\`\``,
  )
  const fields = page('<ParamField path="'.repeat(20_000))
  const site = { ...SITE, 'deep.mdx': deep, 'fields.mdx': fields }
  const found = await named({ patch: patchOf('a.ts', [long, ...many]), paths: ['x/'.repeat(5000)] }, site)
  assert.ok(!('guides/prose.mdx' in found))
  assert.deepEqual(readPatchLines('@@ -1,999999999 +1,999999999 @@\n+a'.repeat(3)), [])
})
