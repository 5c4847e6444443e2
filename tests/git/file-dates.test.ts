/** The dates of pages: from git, on every way that a site is opened. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FileTree } from '../../src/base/files/file-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { openTree, type TreeSource } from '../../src/git/checkout.ts'
import {
  createTestRepository,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'

let temporary: string
let repository: TestRepository
before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'octavo-dates-'))
  repository = await datedRepository()
})
after(async () => {
  await repository[Symbol.asyncDispose]()
  await rm(temporary, { recursive: true, force: true })
})

async function inYear<T>(year: number, work: () => Promise<T>): Promise<T> {
  process.env.GIT_COMMITTER_DATE = `${year}-03-04T05:06:07Z`
  try {
    return await work()
  } finally {
    delete process.env.GIT_COMMITTER_DATE
  }
}

const page = (words: string, head = '') => `---\ntitle: A page\n${head}---\n${words}\n`

/** Made in 2020, moved in 2021, one page changed on a branch in 2022, which came in in 2023. */
async function datedRepository(): Promise<TestRepository> {
  const settings = {
    name: 'T',
    theme: 'mint',
    colors: { primary: '#123456' },
    navigation: { pages: ['index', 'changed', 'own', 'news'] },
    metadata: { timestamp: true },
  }
  const made = await createTestRepository()
  await inYear(2020, () =>
    made.commit({
      'old/docs.json': JSON.stringify(settings),
      'old/index.mdx': page('Welcome.'),
      'old/changed.mdx': page('Before.'),
      'old/own.mdx': page('Own.', 'lastUpdatedDate: 2019-01-02\n'),
      'old/news.mdx': page('<Update label="March 2020">News.</Update>', 'rss: true\n'),
    }),
  )
  await made.git('mv', 'old', 'docs')
  await inYear(2021, () => made.commit({ 'other.txt': 'x' }))
  await made.git('switch', '--quiet', '--create', 'side')
  await inYear(2022, () => made.commit({ 'docs/changed.mdx': page('After.') }))
  await made.git('switch', '--quiet', 'main')
  await inYear(2023, () => made.git('merge', '--quiet', '--no-ff', '--message=side', 'side'))
  return made
}

const EXPECTED = {
  'changed.mdx': '2022',
  'docs.json': '2020',
  'index.mdx': '2020',
  'news.mdx': '2020',
  'own.mdx': '2020',
}

async function yearsOf(tree: FileTree): Promise<unknown> {
  const found = await tree.dates?.()
  const years = [...(found?.dates ?? [])].map(([path, date]) => [path, date.slice(0, 4)] as const)
  return { isWhole: found?.isWhole, ...Object.fromEntries(years.sort()) }
}

const open = (source: TreeSource) =>
  openTree({
    projectId: SOURCE_ROW.id,
    source,
    mirrorsFolder: join(temporary, 'mirrors'),
    allowHttp: true,
    settings: { guard: listedGuard },
  })

test('a commit, a folder and a server of git give the dates of the last changes', async () => {
  await using server = await startGitServer({ folder: dirname(repository.folder) })
  const docsFolder = 'docs'
  const path = repository.folder
  const sources: TreeSource[] = [
    { kind: 'folder', path, docsFolder },
    { kind: 'folder', path: join(path, 'docs') },
    { kind: 'folder', path, ref: 'main', docsFolder },
    { kind: 'git', repository: `${server.url}/${basename(path)}`, docsFolder },
  ]
  await repository.git('config', 'uploadpack.allowFilter', 'true')
  for (const source of sources) {
    await using tree = await open(source)
    assert.deepEqual(await yearsOf(tree), { isWhole: true, ...EXPECTED })
  }
})

async function build(folder: string, out: string) {
  const built = await buildFolder({
    ...{
      folder,
      out,
      deployment: 'client-hosted',
      origin: 'https://docs.example.com',
      cacheFolder: join(temporary, 'cache'),
    },
    ...{ isOffline: true, log: silentLog, report: () => undefined, signal: new AbortController().signal },
  })
  const read = (path: string) => readFile(join(out, path), 'utf8')
  return { built, read }
}

const HINT = 'page.history_missing'

test('pages, sitemap, feed and data for search engines have the date, and a commit changes it', async () => {
  const folder = join(temporary, 'clone')
  execFileSync('git', ['clone', '--quiet', repository.folder, folder])
  const out = join(temporary, 'out')
  const { built, read } = await build(join(folder, 'docs'), out)
  assert.deepEqual(built.problems, [])
  assert.match(await read('changed.html'), /<time datetime="2022-03-04">/)
  assert.match(await read('changed.html'), /"dateModified":"2022-03-04T05:06:07.000Z"/)
  assert.match(await read('own.html'), /<time datetime="2019-01-02">/)
  const sitemap = await read('sitemap.xml')
  assert.deepEqual([...sitemap.matchAll(/<lastmod>(\d{4})/g)].map(([, year]) => year).sort(), [
    '2019',
    '2020',
    '2020',
    '2022',
  ])
  assert.match(await read('news/rss.xml'), /<lastBuildDate>Wed, 04 Mar 2020 05:06:07 GMT<\/lastBuildDate>/)
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com']
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], {
      cwd: folder,
      env: { ...process.env, GIT_COMMITTER_DATE: '2024-05-06T00:00:00Z' },
    })
  // The same bytes, in another commit.
  git('rm', '--quiet', 'docs/index.mdx')
  git('commit', '--quiet', '--message=gone')
  git('checkout', '--quiet', 'HEAD~1', '--', 'docs/index.mdx')
  git('commit', '--quiet', '--message=back')
  const again = await build(join(folder, 'docs'), out)
  assert.match(await again.read('index.html'), /<time datetime="2024-05-06">/)
  assert.match(await again.read('changed.html'), /<time datetime="2022-03-04">/)
})

test('a shallow clone dates what its history shows, and says what it lacks', async () => {
  const folder = join(temporary, 'shallow')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repository.folder}`, folder])
  const { built, read } = await build(join(folder, 'docs'), join(temporary, 'out-shallow'))
  assert.deepEqual(
    built.problems.map(({ code, level, message }) => [code, level, /3 pages have/.test(message)]),
    [[HINT, 'hint', true]],
  )
  assert.doesNotMatch(await read('index.html'), /<time/)
  assert.match(await read('own.html'), /<time datetime="2019-01-02">/)
})
