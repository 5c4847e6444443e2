import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { Site } from '../model.ts'
import { resolveLink } from './links.ts'

const BASE = { name: 'Test', theme: 'mint', colors: { primary: '#123456' } }

async function siteOf(pages: string[], files: Record<string, string>, more: object): Promise<Site> {
  const settings = { ...BASE, navigation: { pages }, ...more }
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings, null, 1), ...files }))
}

test('reports broken links with their lines and accepts every valid link form', async () => {
  const site = await siteOf(
    ['index', 'guides/a', 'guides/b'],
    {
      'index.mdx': [
        '---',
        'title: x',
        '---',
        '[1](/guides/a) [2](guides/a.mdx#x) [3](./guides/b?q=1) [4](#here) [5](https://x.y) [6](mailto:a@b.c)',
        '[7](/old/thing) [8](/guides/a/) [9](/spec.json) [10](/llms.txt) [11](//cdn.x/y) [12](/{variable})',
        '[broken](/guides/aa)',
        '<img src="./nope.png" />',
        '[bad](javascript:alert(1))',
      ].join('\n'),
      'guides/a.mdx': '[b](b) [b](./b.md) [up](../index) [root](guides/b) [missing](c)',
      'guides/b.mdx': 'x',
      'spec.json': '{}',
    },
    { redirects: [{ source: '/old/*', destination: '/guides/a' }] },
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [
      ['link.missing', 'guides/a.mdx', 1],
      ['link.missing', 'index.mdx', 6],
      ['image.missing', 'index.mdx', 7],
      ['link.unsafe', 'index.mdx', 8],
    ],
  )
  assert.match(site.problems[1]?.remedy ?? '', /\/guides\/a/)
})

test('a link to a folder without an index resolves to its first page, and a script src is not an image', async () => {
  const site = await siteOf(
    ['index', 'cli/introduction', 'cli/auth', 'tools/reference/cli'],
    {
      'index.mdx':
        '[cli](/cli) [tools](/tools/#a) [gone](/tool)\n\n<script src="/s/count.js" />\n\n<img src="/s/a.gif" />',
      'cli/auth.mdx': 'x',
      'cli/introduction.mdx': 'x',
      'tools/reference/cli.mdx': 'x',
    },
    { redirects: [{ source: '/old', destination: '/cli' }] },
  )
  assert.deepEqual(
    site.problems.map(({ code, message, remedy }) => [code, message.slice(0, 9), remedy]),
    [
      ['link.missing', 'The link ', 'Correct the path, or add the page or a redirect.'],
      ['image.missing', 'The file ', 'Add the file, or correct the path.'],
      ['image.missing', 'The image', 'Add the file, or correct the path.'],
    ],
  )
  assert.deepEqual(resolveLink(site, null, '/cli/?a#b'), {
    kind: 'page',
    route: '/cli/introduction',
    suffix: '?a#b',
  })
  assert.equal(site.redirects[0]?.destination, '/cli/introduction')
})
