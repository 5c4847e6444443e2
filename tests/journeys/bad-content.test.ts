/** A site with every kind of content error: each is reported with file, line and remedy, and the rest is built. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Problem } from '../../src/base/errors/problem.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

let folder: string
let problems: Problem[]

const PAGES: Record<string, string> = {
  index: '---\ntitle: Home\n---\n\nSound text.\n',
  'does-not-compile': '---\ntitle: Broken\n---\n\nBefore.\n\n<Card title="x">\n\nNever closed, kept text.\n',
  'missing-import':
    '---\ntitle: Import\n---\n\nimport Part from "/snippets/nowhere.mdx"\n\nText.\n\n<Part />\n',
  'dead-link': '---\ntitle: Link\n---\n\nText.\n\nGo to [nowhere](/does/not/exist).\n',
  cycle: '---\ntitle: Cycle\n---\n\nimport A from "/snippets/a.mdx"\n\nText.\n\n<A />\n',
  crlf: '---\r\ntitle: Carriage\r\n---\r\n\r\n## Heading\r\n\r\nText with carriage returns.\r\n',
  twice: '---\ntitle: Twice\n---\n\nText.\n',
  'bad-frontmatter': '---\ntitle: [unclosed\nother: : :\n---\n\nText below bad frontmatter.\n',
  'endless-loop':
    '---\ntitle: Loop\n---\n\nBefore the loop.\n\n{(() => { while (true) {} })()}\n\nAfter the loop.\n',
  'memory-hog':
    '---\ntitle: Hog\n---\n\nBefore the hog.\n\n{new Array(1e9).fill(0).length}\n\nAfter the hog.\n',
  'reads-process': '---\ntitle: Process\n---\n\nBefore.\n\n{process.env.PATH}\n\nAfter.\n',
  'requires-fs':
    "---\ntitle: Require\n---\n\nBefore.\n\n{require('fs').readFileSync('/etc/passwd', 'utf8')}\n\nAfter.\n",
  'climbs-out':
    "---\ntitle: Climb\n---\n\nBefore.\n\n{globalThis.constructor.constructor('return process')().pid}\n\nAfter.\n",
  'undefined-name': '---\ntitle: Name\n---\n\nThe id is {jobId} here.\n',
  huge: `---\ntitle: Huge\n---\n\n${'A paragraph of a very long page, with some words.\n\n'.repeat(14_000)}The last words.\n`,
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-bad-'))
  const names = [...Object.keys(PAGES), 'twice', 'not-on-disk']
  await writeSite(join(folder, 'site'), {
    'docs.json': JSON.stringify(
      {
        theme: 'mint',
        name: 'Bad',
        colors: { primary: 'no colour' },
        navigation: { groups: [{ group: 'All', pages: names }] },
      },
      null,
      2,
    ),
    'snippets/a.mdx': 'import B from "/snippets/b.mdx"\n\nPart A.\n\n<B />\n',
    'snippets/b.mdx': 'import A from "/snippets/a.mdx"\n\nPart B.\n\n<A />\n',
    ...Object.fromEntries(Object.entries(PAGES).map(([name, text]) => [`${name}.mdx`, text])),
  })
  await writeFile(join(folder, 'outside.txt'), 'a secret outside of the docs folder')
  await symlink(join(folder, 'outside.txt'), join(folder, 'site', 'leak.txt'))
  const built = await buildFolder({
    folder: join(folder, 'site'),
    out: join(folder, 'out'),
    deployment: 'client-hosted',
    children: 1,
    log: silentLog,
    report: () => {},
    signal: patience(),
  })
  problems = built.problems
})
after(() => rm(folder, { recursive: true, force: true }))

const page = (name: string) => readFile(join(folder, 'out', `${name}.html`), 'utf8')

/** Asserts that a file has the problem at the line of the mistake. */
function expectProblem(file: string, code: RegExp, line: number | null): void {
  const found = problems.filter((problem) => problem.file === file && code.test(problem.code))
  const shown = JSON.stringify(problems.filter((problem) => problem.file === file))
  assert.ok(found.length > 0, `no ${code} for ${file}: ${shown}`)
  assert.ok(
    found.some((problem) => problem.line === line),
    `${file} has ${code} at another line than ${line}: ${shown}`,
  )
  for (const problem of found) assert.ok(problem.message.length > 10 && problem.remedy.length > 10, shown)
}

test('every page on disk is built despite its errors', async () => {
  for (const name of Object.keys(PAGES)) assert.match(await page(name), /<h1/, name)
})

test('content around an error is rendered', async () => {
  for (const name of ['endless-loop', 'memory-hog', 'reads-process', 'requires-fs', 'climbs-out']) {
    const html = await page(name)
    assert.match(html, /Before/, name)
    assert.match(html, /After/, name)
  }
  assert.match(await page('does-not-compile'), /Never closed, kept text\./)
  assert.match(await page('bad-frontmatter'), /Text below bad frontmatter\./)
  assert.match(await page('crlf'), /<h2[^>]*id="heading"/)
  assert.match(await page('huge'), /The last words\./)
  assert.match(await page('undefined-name'), /The id is \{jobId\} here\./)
})

test('author code cannot reach the files, environment or process of the server', async () => {
  for (const name of Object.keys(PAGES)) {
    const html = await page(name)
    assert.ok(!html.includes('root:x:0'), name)
    assert.ok(!html.includes(process.env.PATH as string), name)
    assert.ok(!html.includes(`>${process.pid}<`), name)
  }
})

test('each error is reported as a problem with file, line and remedy', () => {
  expectProblem('does-not-compile.mdx', /^mdx\./, 7)
  expectProblem('missing-import.mdx', /^import\./, 5)
  expectProblem('dead-link.mdx', /^link\./, 7)
  expectProblem('bad-frontmatter.mdx', /^frontmatter\./, 3)
  expectProblem('endless-loop.mdx', /^mdx\./, 7)
  expectProblem('memory-hog.mdx', /^mdx\./, 7)
  expectProblem('reads-process.mdx', /^mdx\./, 7)
  expectProblem('requires-fs.mdx', /^mdx\./, 7)
  expectProblem('climbs-out.mdx', /^mdx\./, 7)
  expectProblem('undefined-name.mdx', /^mdx\./, 5)
  const inSettings = problems.filter((problem) => problem.file === 'docs.json')
  for (const word of ['not-on-disk', 'twice', 'primary'])
    assert.ok(
      inSettings.some((problem) => problem.message.includes(word) && problem.line !== null),
      `nothing is said about ${word}: ${JSON.stringify(inSettings)}`,
    )
  assert.ok(
    problems.some((problem) => /cycle/.test(problem.code)),
    'the cycle is not told',
  )
  assert.ok(
    problems.some((problem) => problem.file === 'leak.txt'),
    'the symlink is not told',
  )
})

test('a symlink out of the docs folder is not followed', async () => {
  await assert.rejects(readFile(join(folder, 'out', 'leak.txt')), { code: 'ENOENT' })
})

for (const [what, files] of Object.entries<Record<string, string>>({
  'no docs.json': { 'index.mdx': 'text' },
  'a docs.json that is no JSON': { 'docs.json': '{ "name": ', 'index.mdx': 'text' },
  'no page': {
    'docs.json': '{"theme":"mint","name":"x","colors":{"primary":"#123456"},"navigation":{"pages":[]}}',
  },
}))
  test(`a folder with ${what} is refused with a reason`, async () => {
    const site = await mkdtemp(join(folder, 'unloadable-'))
    await writeSite(site, files)
    await assert.rejects(
      buildFolder({
        folder: site,
        out: join(folder, 'never'),
        deployment: 'client-hosted',
        log: silentLog,
        report: () => {},
        signal: patience(),
      }),
      (error: Error) => error.name === 'SiteUnloadableError' && /docs\.json|page/.test(error.message),
    )
  })
