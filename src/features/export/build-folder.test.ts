import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ExportDeployment } from '../../base/api/features.ts'
import { silentLog } from '../../base/log.ts'
import type { RenderProgress } from '../../render/plan/render-scope.ts'
import { buildFolder } from './build-folder.ts'
import { OutputFolderError } from './output-folder.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const SITE: Record<string, string | Uint8Array> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Small',
    colors: { primary: '#3366ff' },
    navigation: { pages: ['start', 'guides/deep page', 'broken', 'api'] },
    redirects: [
      { source: '/old', destination: '/guides/deep page#part' },
      { source: '/legacy/*', destination: '/guides/*' },
    ],
  }),
  'start.mdx':
    '---\ntitle: Start\n---\nimport Part from "/snippets/part.mdx"\n\n<Part />\n\n[deep](/guides/deep%20page) <Icon icon="no-such-icon" />\n',
  'snippets/part.mdx': 'Shared words\n',
  'guides/deep page.mdx':
    '---\ntitle: Deep\n---\n## Part\n\n![x](/images/a.png) [old](/old) <div className="mt-4 dark:hidden">boxed</div>\n',
  'broken.mdx': '---\ntitle: Broken\n---\nBefore {oops( after\n',
  'api.mdx': '---\ntitle: Call\nopenapi: spec.json GET /things/{id}\n---\n',
  'spec.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/things/{id}': {
        get: {
          description: 'Reads things.\n\nGives {one} thing of Array<Thing>.',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'Fine',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: { parent: { $ref: '#/components/schemas/Thing' }, weight: { type: 'number' } },
        },
      },
    },
  }),
  'images/a.png': PNG,
  'style.css': '.x{background:url(/images/a.png)}',
  'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
}

let folder: string
let source: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-build-'))
  source = join(folder, 'site')
  for (const [path, content] of Object.entries(SITE)) {
    mkdirSync(dirname(join(source, path)), { recursive: true })
    writeFileSync(join(source, path), content)
  }
})
after(() => rmSync(folder, { recursive: true }))

function build(out: string, deployment: ExportDeployment = 'client-hosted', children = 1) {
  const progress: [number, number][] = []
  const report = ({ pagesDone, pagesLaidOut }: RenderProgress) =>
    void progress.push([pagesDone, pagesLaidOut])
  const signal = new AbortController().signal
  return buildFolder({ folder: source, out, deployment, children, log: silentLog, report, signal }).then(
    (built) => ({
      ...built,
      progress,
    }),
  )
}

describe('a built folder', () => {
  let out: string
  let built: Awaited<ReturnType<typeof build>>
  const read = (path: string) => readFileSync(join(out, path), 'utf8')
  before(async () => {
    out = join(folder, 'out')
    built = await build(out)
  })

  test('contains every page, including one that does not compile, and reports problems', () => {
    assert.equal(built.pages, 4)
    const rendered = [0, 1, 2, 3, 4].map((pages) => [pages, 0])
    const laidOut = [1, 2, 3, 4].map((pages) => [4, pages])
    assert.deepEqual(built.progress, [...rendered, ...laidOut])
    assert.match(read('broken.html'), /Before [\s\S]*after/)
    const codes = built.problems.map((problem) => `${problem.file} ${problem.code}`)
    assert.ok(codes.includes('start.mdx icon.unknown'), codes.join('\n'))
    assert.ok(
      codes.some((code) => code.startsWith('broken.mdx mdx.')),
      codes.join('\n'),
    )
  })

  test('links pages and files relatively and resolves redirects', () => {
    assert.match(read('start.html'), /Shared words/)
    assert.match(read('start.html'), /<a [^>]*href="guides\/deep%20page\.html"/)
    const deep = read('guides/deep page.html')
    assert.match(deep, /<img [^>]*src="\.\.\/images\/a\.png"/)
    assert.match(deep, /<a [^>]*href="\.\.\/guides\/deep%20page\.html#part"/)
    for (const page of globSync('**/*.html', { cwd: out })) {
      assert.doesNotMatch(read(page).replace('<base href="/">', ''), /(?:href|src)="\/(?!\/)/, page)
      assert.doesNotMatch(read(page), /<o-icon/, page)
    }
    assert.equal(read('style.css'), '.x{background:url("images/a.png")}')
  })

  test('starts at its first page, redirects old addresses and strips scripts from SVG images', () => {
    assert.match(read('index.html'), /url=start\.html/)
    assert.match(read('old.html'), /url=guides\/deep%20page\.html#part/)
    assert.equal(read('_redirects'), '/old /guides/deep%20page#part 308\n/legacy/* /guides/:splat 308\n')
    assert.doesNotMatch(read('evil.svg'), /script/)
    assert.match(read('404.html'), /base\.href='\/'/)
  })

  test('renders the description of an API operation as text', () => {
    const page = read('api.html')
    assert.equal(page.match(/>Reads things\.</g)?.length, 1)
    assert.match(page, /Gives \{one\} thing of Array&lt;Thing/)
    assert.match(page, />weight</)
  })

  test('contains the CSS of the utility classes it uses and assets that every page can reach', () => {
    const [utilities = ''] = globSync('_octavo/utilities.*.css', { cwd: out })
    assert.match(read(utilities), /\.mt-4\{margin-top:1rem/)
    assert.match(read(utilities), /\.dark \.dark\\:hidden/)
    const named = globSync('**/*.html', { cwd: out }).flatMap((page) =>
      [...read(page).matchAll(/(?:href|src)="((?:\.\.\/)*_octavo\/[^"]+)"/g)].map(([, link]) =>
        join(dirname(page), link as string),
      ),
    )
    assert.ok(named.length > 8)
    for (const file of new Set(named)) assert.ok(existsSync(join(out, file)), file)
  })

  test('lists every other file in its manifest with size and hash', () => {
    const manifest = JSON.parse(read('manifest.json')) as {
      revision: string
      files: Record<string, { sha256: string; sizeBytes: number }>
    }
    assert.match(manifest.revision, /^content:[0-9a-f]{64}$/)
    const onDisk = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    assert.equal(Object.keys(manifest.files).length + 1, onDisk.length)
    for (const [path, { sha256, sizeBytes }] of Object.entries(manifest.files)) {
      const bytes = readFileSync(join(out, path))
      assert.equal(bytes.length, sizeBytes, path)
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, path)
    }
  })

  test('is identical with another number of processes and replaces an earlier build', async () => {
    const first = read('manifest.json')
    writeFileSync(join(out, 'left-over.html'), '')
    await build(out, 'client-hosted', 2)
    assert.equal(read('manifest.json'), first)
    assert.ok(!existsSync(join(out, 'left-over.html')))
  })

  test('has no search in an air-gapped deployment', async () => {
    const closed = join(folder, 'closed')
    await build(closed, 'air-gapped')
    assert.deepEqual(globSync('_octavo/search*', { cwd: closed }), [])
    assert.equal(globSync('_octavo/search*', { cwd: out }).length, 2)
  })

  test('includes search in an air-gapped deployment when search is bundled', async () => {
    const closed = join(folder, 'closed-with-search')
    const signal = new AbortController().signal
    const features = { search: 'bundled' } as const
    await buildFolder({
      folder: source,
      out: closed,
      deployment: 'air-gapped',
      features,
      children: 1,
      log: silentLog,
      report() {},
      signal,
    })
    const files = globSync('_octavo/search*', { cwd: closed })
    assert.equal(files.length, 2)
    const pages = globSync('**/*.html', { cwd: closed }).map((path) =>
      readFileSync(join(closed, path), 'utf8'),
    )
    for (const file of files)
      assert.ok(
        pages.some((page) => page.includes(`${file}"`)),
        file,
      )
  })
})

test('rejects an output folder with other content, or the site itself, and leaves it untouched', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'precious.txt'), 'x')
  for (const out of [other, source, folder, join(other, 'precious.txt')]) {
    await assert.rejects(build(out), OutputFolderError, out)
  }
  assert.equal(readFileSync(join(other, 'precious.txt'), 'utf8'), 'x')
})

test('an aborted build keeps the old pages in place', async () => {
  const out = join(folder, 'stopped')
  await build(out)
  const before = readFileSync(join(out, 'manifest.json'), 'utf8')
  const signal = AbortSignal.abort(new Error('enough'))
  const input = {
    folder: source,
    out,
    deployment: 'client-hosted' as const,
    log: silentLog,
    report() {},
    signal,
  }
  await assert.rejects(buildFolder(input), /enough/)
  assert.equal(readFileSync(join(out, 'manifest.json'), 'utf8'), before)
  assert.deepEqual(globSync('.stopped*', { cwd: folder }), [])
})
