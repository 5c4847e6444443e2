/** Imports small sites for single constructs and checks the report. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ImportKind } from '../../src/import/imported-site.ts'
import { buildSite } from '../kit/built-site.ts'
import { assertNoErrors, type Imported, importInto } from '../kit/imported-site.ts'
import { writeSite } from '../kit/site.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-small-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function importing(kind: ImportKind, name: string, files: Record<string, string>): Promise<Imported> {
  await writeSite(join(folder, name), files)
  return importInto(kind, join(folder, name))
}

const textOf = ({ texts }: Imported, path: string) => texts.get(path) ?? ''
const notesOf = ({ notes }: Imported) => notes.map(({ file, line, message }) => `${file}:${line} ${message}`)

const DOCUSAURUS = `module.exports = { title: 'D', url: 'https://x.example.com', baseUrl: '/', presets: [['classic', {}]] }`

test('Docusaurus: a draft is imported but not published, and the report says so', async () => {
  await using site = await importing('docusaurus', 'draft', {
    'docusaurus.config.js': DOCUSAURUS,
    'docs/intro.md': '---\nslug: /\n---\n# Intro\n',
    'docs/next.md': '---\ndraft: true\n---\n# Next\n\nUnreleased.\n',
  })
  await using built = await buildSite(site.folder, 'client-hosted')
  assertNoErrors(built.problems)
  assert.match(textOf(site, 'docs/next.mdx'), /Unreleased/)
  assert.equal(existsSync(join(built.out, 'docs/next.html')), false)
  assert.ok(notesOf(site).some((note) => /^docs\/next\.md:null The page is a draft/.test(note)))
})

test('Docusaurus: handles one-line and unclosed callouts, themed images and React components', async () => {
  await using site = await importing('docusaurus', 'parts', {
    'docusaurus.config.js': DOCUSAURUS,
    'docs/intro.mdx': [
      "import ThemedImage from '@theme/ThemedImage'",
      "import useBaseUrl from '@docusaurus/useBaseUrl'",
      "import Badge from '@site/src/badge'",
      '',
      '# Intro',
      '',
      ':::info Words on one line:::',
      '',
      'After it.',
      '',
      "<ThemedImage alt='A lamp' sources={{ light: useBaseUrl('/img/day.png'), dark: useBaseUrl('/img/night.png') }} />",
      '',
      '<Badge />',
      '',
      ':::tip',
      '',
      'The last words.',
    ].join('\n'),
    'src/badge.jsx':
      "import React, { useState } from 'react'\n\nexport default function Badge() {\n  const [on] = useState('lit')\n  return <b>{on}</b>\n}\n",
    'static/img/day.png': 'day',
    'static/img/night.png': 'night',
  })
  await using built = await buildSite(site.folder, 'client-hosted')
  assertNoErrors(built.problems)
  const page = textOf(site, 'docs/intro.mdx')
  assert.match(page, /^:::info Words on one line:::\n\nAfter it\.$/m)
  assert.match(page, /<img className="block dark:hidden" src="\/img\/day\.png" alt="A lamp" \/>/)
  assert.match(page, /<img className="hidden dark:block" src="\/img\/night\.png" alt="A lamp" \/>/)
  assert.match(page, /<Tip>\s+The last words\.\s+<\/Tip>/)
  assert.match(textOf(site, 'snippets/src/badge.jsx'), /^import \{ useState \} from 'react'\n/)
})

test('Docusaurus: a blog becomes one changelog page, newest first, with redirects from the old addresses', async () => {
  await using site = await importing('docusaurus', 'blog', {
    'docusaurus.config.js': DOCUSAURUS,
    'docs/intro.md': '# Intro\n\n[First](/blog/2024/01/05/first)\n',
    'blog/2024-01-05-first.md':
      '---\ntags: [news]\n---\n# First post\n\nOpening.\n\n<!-- truncate -->\n\nRest.\n',
    'blog/2025-02-06-second/index.md': '---\ntitle: Second\nslug: two\n---\n![A](./a.png)\n',
    'blog/2025-02-06-second/a.png': 'picture',
    'blog/2026-01-01-later.md': '---\ndraft: true\n---\nLater.\n',
  })
  await using built = await buildSite(site.folder, 'client-hosted')
  assertNoErrors(built.problems)
  const blog = textOf(site, 'blog.mdx')
  assert.match(
    blog,
    /<Update label="2025-02-06" description="Second"[^>]*>[\s\S]*\/a\.png[\s\S]*<Update label="2024-01-05" description="First post" tags=\{\["news"\]\}[^>]*>\s+Opening\.\s+Rest\.\s+<\/Update>/,
  )
  assert.doesNotMatch(blog, /Later|truncate/)
  assert.deepEqual(site.settings.redirects, [
    { source: '/blog/two', destination: '/blog#2025-02-06' },
    { source: '/blog/2024/01/05/first', destination: '/blog#2024-01-05' },
  ])
  const { tabs } = site.settings.navigation as { tabs: { tab: string; pages: unknown }[] }
  assert.deepEqual(tabs, [
    { tab: 'Documentation', pages: ['docs/intro'] },
    { tab: 'Blog', pages: ['blog'] },
  ])
  assert.match(textOf(site, 'docs/intro.mdx'), /\[First\]\(\/blog\)/)
})

test('MkDocs: converts tabs for a page, a section and a link, buttons and card icons', async () => {
  await using site = await importing('mkdocs', 'mkdocs', {
    'mkdocs.yml': [
      'site_name: M',
      'theme: {name: material, features: [navigation.tabs]}',
      'markdown_extensions: [attr_list, md_in_html, pymdownx.emoji]',
      'nav:',
      '  - Home: index.md',
      '  - Guide: [guide/use.md]',
      '  - Forum: https://forum.example.com',
    ].join('\n'),
    'docs/index.md': [
      '# Start',
      '',
      '[Begin](guide/use.md){ .md-button }',
      '',
      '<div class="grid cards" markdown>',
      '',
      '-   :material-clock-fast:{ .lg .middle } __Set up in minutes__',
      '',
      '    ---',
      '',
      '    Install it.',
      '',
      '</div>',
    ].join('\n'),
    'docs/guide/use.md': '# Use\n',
  })
  await using built = await buildSite(site.folder, 'client-hosted')
  assertNoErrors(built.problems)
  assert.deepEqual(site.settings.navigation, {
    tabs: [
      { tab: 'Home', pages: ['index'] },
      { tab: 'Guide', pages: ['guide/use'] },
      { tab: 'Forum', href: 'https://forum.example.com' },
    ],
  })
  assert.match(textOf(site, 'index.mdx'), /<Card title="Set up in minutes" icon="clock">\s+Install it\./)
  assert.ok(notesOf(site).some((note) => /^docs\/index\.md:3 The button is converted to a link/.test(note)))
})

test('GitBook: OpenAPI and Swagger blocks become operation pages below the page that contains them', async () => {
  await using site = await importing('gitbook', 'gitbook', {
    'SUMMARY.md': '# Table of contents\n\n* [Start](README.md)\n* [Lamps](lamps.md)\n',
    'README.md': '# Start\n',
    'lamps.md': [
      '# Lamps',
      '',
      '{% openapi src=".gitbook/assets/api.yaml" path="/lamps" method="get" %}',
      '[api.yaml](.gitbook/assets/api.yaml)',
      '{% endopenapi %}',
      '',
      '{% swagger baseUrl="https://api.example.com" method="post" path="/lamps" summary="Light a lamp" %}',
      '{% swagger-description %}',
      'Lights one lamp.',
      '{% endswagger-description %}',
      '{% swagger-parameter in="query" name="tone" type="string" %}',
      'Which tone',
      '{% endswagger-parameter %}',
      '{% endswagger %}',
      '',
      'Behind them.',
    ].join('\n'),
    '.gitbook/assets/api.yaml':
      'openapi: 3.1.0\ninfo: {title: L, version: "1"}\npaths:\n  /lamps:\n    get: {summary: All lamps, responses: {"200": {description: Fine}}}\n',
  })
  await using built = await buildSite(site.folder, 'client-hosted')
  assertNoErrors(built.problems)
  assert.deepEqual((site.settings.navigation as { pages: unknown }).pages, [
    'index',
    { group: 'Lamps', root: 'lamps', pages: ['lamps/get-lamps', 'lamps/post-lamps'] },
  ])
  assert.match(textOf(site, 'lamps/get-lamps.mdx'), /^openapi: \/assets\/api\.yaml GET \/lamps$/m)
  const own = textOf(site, 'lamps/post-lamps.mdx')
  assert.match(own, /^title: Light a lamp\napi: POST https:\/\/api\.example\.com\/lamps$/m)
  assert.match(own, /Lights one lamp\.[\s\S]*<ParamField query="tone" type="string">\s+Which tone/)
  assert.match(
    textOf(site, 'lamps.mdx'),
    /<Card title="GET \/lamps" href="\/lamps\/get-lamps" horizontal \/>\s+<Card title="Light a lamp" href="\/lamps\/post-lamps" horizontal \/>\s+Behind them\./,
  )
})
