import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FileTree } from '../../src/base/files/file-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { createFolderRequest } from '../../src/features/export/folder-source.ts'
import { openTree, type TreeSource } from '../../src/git/checkout.ts'
import { openSiteProcess } from '../../src/render/site-process.ts'
import {
  createTestRepository,
  listedGuard,
  SOURCE_ROW,
  startGitServer,
  type TestRepository,
} from '../kit/git.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { patience } from '../kit/until.ts'

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

/** Created in 2020 and moved in 2021; one page changed on a branch in 2022 that was merged in 2023. */
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

test('a commit, a folder and a git server provide the dates of the last changes', async () => {
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

test('pages, sitemap, feed and structured data carry the date of the last change, and a commit updates it', async () => {
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
  // Delete and restore the page: same content, new commit.
  git('rm', '--quiet', 'docs/index.mdx')
  git('commit', '--quiet', '--message=gone')
  git('checkout', '--quiet', 'HEAD~1', '--', 'docs/index.mdx')
  git('commit', '--quiet', '--message=back')
  const again = await build(join(folder, 'docs'), out)
  assert.match(await again.read('index.html'), /<time datetime="2024-05-06">/)
  assert.match(await again.read('changed.html'), /<time datetime="2022-03-04">/)
})

test('a shallow clone leaves pages without history undated and reports them as a hint', async () => {
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

test('a translation whose original has changed since is reported as stale', async () => {
  await using site = await createTestRepository()
  const page = (text: string) => `---\ntitle: T\n---\n\n${text}\n`
  const navigation = {
    languages: [
      { language: 'en', default: true, pages: ['index', 'guide'] },
      { language: 'de', pages: ['de/index', 'de/guide'] },
    ],
  }
  const commit = async (date: string, files: Record<string, string>) => {
    await site.commit(files)
    await site.git('commit', '--quiet', '--amend', '--no-edit', '--reset-author', `--date=${date}`)
    execFileSync('git', ['commit', '--quiet', '--amend', '--no-edit'], {
      cwd: site.folder,
      env: {
        ...process.env,
        GIT_COMMITTER_DATE: date,
        GIT_COMMITTER_NAME: 'T',
        GIT_COMMITTER_EMAIL: 't@example.com',
      },
    })
  }
  await commit('2024-01-01T00:00:00Z', {
    'docs.json': JSON.stringify({ name: 'S', navigation }),
    ...Object.fromEntries(
      ['index', 'guide', 'de/index', 'de/guide'].map((name) => [`${name}.mdx`, page(name)]),
    ),
  })
  const hash = async (file: string) =>
    (await site.git('log', '-1', '--format=%H', '--', file)).trim().slice(0, 8)
  const out = join(temporary, 'out-translated')
  const stale = async () => {
    const { built } = await build(site.folder, out)
    return built.problems
      .filter(({ code }) => code === 'translation.stale')
      .map(({ file, message }) => [file, message])
  }
  assert.deepEqual(await stale(), [])
  const changed = '## Install\n\nAgain.\n\n## Limits\n\nNone.\n\n```sh\n# no heading\n```\n\n## New\n\nText.'
  const sections = '## Install\n\nOnce.\n\n## Limits\n\nNone.\n\n```sh\n# no heading\n```\n\n## Gone\n\nText.'
  await commit('2024-02-03T00:00:00Z', { 'guide.mdx': page(sections) })
  await commit('2024-02-04T00:00:00Z', { 'de/guide.mdx': page('Übersetzt') })
  assert.deepEqual(await stale(), [])
  await commit('2024-03-05T00:00:00Z', { 'guide.mdx': page(changed), 'de/index.mdx': page('Neu') })
  const message = `guide.mdx was changed (2024-03-05, ${await hash('guide.mdx')}) after this translation (2024-02-04, ${await hash('de/guide.mdx')}), in “Install”, “New”, “Gone (removed)”.`
  assert.deepEqual(await stale(), [['de/guide.mdx', message]])

  // The server's copy of the history has no old file contents until they are requested.
  await using server = await startGitServer({ folder: dirname(site.folder) })
  await site.git('config', 'uploadpack.allowFilter', 'true')
  await using tree = await open({ kind: 'git', repository: `${server.url}/${basename(site.folder)}` })
  await using guardedFetch = createGuardedFetch()
  await using hosted = openSiteProcess({
    ...{ objects: openMemoryStore(), guardedFetch, log: silentLog, renderChildren: 1, siteMemoryMb: 512 },
    projectId: 'prj_own',
  })
  const request = createFolderRequest({ deployment: 'client-hosted' })
  const { problems } = await hosted.build(tree, request, () => undefined, patience())
  assert.deepEqual(
    problems.filter(({ code }) => code === 'translation.stale').map((problem) => problem.message),
    [message],
  )

  const note = async () =>
    / class="stale-note" role="note">(.*?)<\/p>/.exec(await readFile(join(out, 'de/guide.html'), 'utf8'))?.[1]
  assert.equal(await note(), undefined, 'readers see nothing unless docs.json says so')
  const translations = { staleNote: true }
  await commit('2024-03-06T00:00:00Z', {
    'docs.json': JSON.stringify({ name: 'S', navigation, translations }),
  })
  await stale()
  assert.equal(
    await note(),
    'Diese Seite ist möglicherweise veraltet. <a href="../guide.html">Zum Original</a>',
  )
  assert.doesNotMatch(await readFile(join(out, 'guide.html'), 'utf8'), /class="stale-note"/)

  await commit('2024-03-07T00:00:00Z', { 'guide.mdx': page(sections) })
  assert.deepEqual(await stale(), [], 'the original reads as it did')
  await commit('2024-03-08T00:00:00Z', { 'guide.mdx': page(changed) })
  await commit('2024-03-09T00:00:00Z', { 'de/guide.mdx': page('Geändert') })
  assert.deepEqual(await stale(), [])
})
