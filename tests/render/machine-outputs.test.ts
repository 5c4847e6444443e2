/** Renders a small site and checks its outputs for machines and their links. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Deployment, resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { type RenderedSite, renderSite } from '../../src/render/build.ts'
import { blobKey } from '../../src/render/versions/manifest.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { patience } from '../kit/until.ts'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    markdown: { instructions: 'Cite this page.' },
    navigation: {
      groups: [
        { group: 'Z first', root: 'z/start', directory: 'card', pages: ['z/next'] },
        { group: 'Then', pages: ['a', 'changes'] },
      ],
    },
    redirects: [{ source: '/old/:slug*', destination: '/z/:slug*' }],
  }),
  'z/start.mdx':
    '---\ntitle: Start\n---\n\nSee [next](/z/next#there) and\n[gone](/z/next#ther).\n[Old](/old/next#there), [lost](/old/next#thre).\n',
  'z/next.mdx': `---
title: Next
description: What comes next
---

import Part from '/snippets/part.mdx'

## There

<Note>Mind the **gap**.</Note>

<Visibility for="agents">For agents alone.</Visibility>
<Visibility for="humans">For people alone.</Visibility>

<Tabs><Tab title="One">First words.</Tab><Tab title="Two">Second words.</Tab></Tabs>

\`\`\`js greet.js
const text = '<b> \${x} \`'
\`\`\`

<Part />
`,
  'snippets/part.mdx': 'A link [elsewhere](/z/start#missing-there),\none of a [snippet](#missing-there).\n',
  '.mintlify/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Deploys a site.\n---\nDo this.\n',
  '.mintlify/Assistant.md': 'Greet like a lighthouse keeper.\n',
  '.mintlify/skills/deploy/parts/steps.md': 'Steps.\n',
  'a.mdx': `---
title: A
related:
  - /z/next#there
  - z/start.mdx#lost
  - https://acme.test/help/
  - Older: /old/next
  - Gone: /gone
  - /gone-too
  - javascript:alert(1)
  - 7
---

Text.
`,
  'talk.mdx': '---\ntitle: Talk\nmode: assistant\n---\n\nAsk about **anything**.\n\n## Limits\n\nTen.\n',
  'changes.mdx': '---\ntitle: Changes\nrss: true\n---\n\n<Update label="May 2026">New.</Update>\n',
}

interface Outcome extends RenderedSite {
  text(path: string): string
}

async function render(deployment: Deployment, origin: string | null): Promise<Outcome> {
  const objects = openMemoryStore()
  const tree = openMemoryTree(FILES)
  const rendered = await renderSite(
    renderDeps(objects),
    {
      site: await loadSite(tree),
      tree,
      deployment,
      features: resolveFeatures(deployment),
      origin,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
    },
    () => {},
    patience(),
  )
  const blobs = new Map<string, string>()
  for (const [path, { sha256, sizeBytes }] of Object.entries(rendered.manifest.files)) {
    const bytes = gunzipSync(await objects.read(blobKey(sha256)))
    assert.equal(bytes.byteLength, sizeBytes, path)
    blobs.set(path, bytes.toString())
  }
  return { ...rendered, text: (path) => blobs.get(path) ?? assert.fail(`there is no ${path}`) }
}

let hosted: Outcome
let bundle: Outcome
before(async () => {
  hosted = await render('cloud', 'https://docs.acme.dev')
  bundle = await render('client-hosted', null)
})

test('every page has a Markdown version with the content for agents and without that for humans', () => {
  const pages = Object.keys(hosted.manifest.files).filter(
    (path) => path.endsWith('.html') && path !== '404.html',
  )
  assert.equal(pages.length, 5)
  for (const page of pages) assert.match(hosted.text(page.replace(/html$/, 'md')), /^# \S/)
  assert.equal(
    hosted.text('z/next.md'),
    `# Next

> What comes next

> Index of all pages for agents: [llms.txt](https://docs.acme.dev/llms.txt)

> ## Agent Instructions
>
> Cite this page.

## There

> **Note**
>
> Mind the **gap**.

For agents alone.

**One**

First words.

**Two**

Second words.

\`\`\`js greet.js
const text = '<b> \${x} \`'
\`\`\`

A link [elsewhere](https://docs.acme.dev/z/start#missing-there), one of a [snippet](#missing-there).
`,
  )
  assert.doesNotMatch(hosted.text('llms-full.txt'), /Index of all pages/)
  assert.match(
    hosted.text('z/next.html'),
    /<body>.{0,200}href="\/llms\.txt"[^>]*>Index of all pages for agents: https:\/\/docs\.acme\.dev\/llms\.txt</,
  )
  assert.match(bundle.text('z/next.html'), /<body>.{0,200}href="\.\.\/llms\.txt"/)
  const html = hosted.text('z/next.html')
  assert.ok(html.includes('For people alone.') && !html.includes('For agents alone.'))
})

test('Markdown versions use absolute links if the site has an origin, and list the pages of their group', () => {
  assert.match(hosted.text('z/start.md'), /\[next\]\(https:\/\/docs\.acme\.dev\/z\/next#there\)/)
  assert.match(
    hosted.text('z/start.md'),
    /- \[Next\]\(https:\/\/docs\.acme\.dev\/z\/next\): What comes next\n$/,
  )
  assert.match(bundle.text('z/start.md'), /\[next\]\(\/z\/next#there\)/)
})

test('llms-full.txt holds all pages in the order of the navigation', () => {
  const text = hosted.text('llms-full.txt')
  assert.deepEqual(text.match(/^# .*\nSource: .*$/gm), [
    '# Start\nSource: https://docs.acme.dev/z/start',
    '# Next\nSource: https://docs.acme.dev/z/next',
    '# A\nSource: https://docs.acme.dev/a',
    '# Changes\nSource: https://docs.acme.dev/changes',
  ])
  assert.match(hosted.text('llms.txt'), /- \[Start\]\(https:\/\/docs\.acme\.dev\/z\/start\.md\)\n- \[Next\]/)
  assert.match(bundle.text('llms.txt'), /- \[Start\]\(z\/start\.md\)/)
  assert.equal(hosted.text('.well-known/llms.txt'), hosted.text('llms.txt'))
})

test('a section of the site has its own llms.txt, linked from the main one', () => {
  const pages = /- \[(.*?)\]\(/g
  const listed = (text: string) => [...text.matchAll(pages)].map(([, title]) => title)
  assert.deepEqual(listed(hosted.text('z/llms.txt')), ['Start', 'Next'])
  assert.match(hosted.text('llms.txt'), /\(https:\/\/docs\.acme\.dev\/z\/llms\.txt\)/)
  assert.deepEqual(listed(bundle.text('z/llms.txt')), ['Start', 'Next'])
})

test('a changelog page has an RSS feed and links to it only if the site has an origin', () => {
  assert.match(hosted.text('changes/rss.xml'), /<link>https:\/\/docs\.acme\.dev\/changes#may-2026<\/link>/)
  assert.match(hosted.text('changes.html'), /type="application\/rss\+xml" href="\/changes\/rss\.xml"/)
  assert.ok(!('changes/rss.xml' in bundle.manifest.files))
  assert.doesNotMatch(bundle.text('changes.html'), /rss/)
})

test('redirects become pages in a bundle, next to the redirect rules for hosts', () => {
  assert.match(bundle.text('old/next.html'), /url=\.\.\/z\/next\.html/)
  assert.match(bundle.text('_redirects'), /^\/old\/\* \/z\/:splat 308$/m)
  assert.ok('redirects.nginx.conf' in bundle.manifest.files && 'vercel.json' in bundle.manifest.files)
  assert.ok(!('old/next.html' in hosted.manifest.files) && !('_redirects' in hosted.manifest.files))
})

test('links to missing anchors are reported with file and line, in snippets too', () => {
  const found = hosted.problems.filter(({ code }) => code === 'link.anchor_missing')
  assert.deepEqual(
    found.map(({ file, line, remedy }) => [file, line, remedy]),
    [
      ['a.mdx', 5, 'Link to an existing heading, or to the page only.'],
      ['snippets/part.mdx', 1, 'Link to an existing heading, or to the page only.'],
      ['snippets/part.mdx', 2, 'Link to an existing heading, or to the page only.'],
      ['z/start.mdx', 6, 'Did you mean #there?'],
      ['z/start.mdx', 7, 'Did you mean #there?'],
    ],
  )
})

test('assistant instructions are in the manifest and in no output file', () => {
  assert.equal(hosted.manifest.assistantInstructions, 'Greet like a lighthouse keeper.')
  for (const made of [hosted, bundle])
    for (const path of Object.keys(made.manifest.files))
      assert.ok(!made.text(path).includes('lighthouse'), path)
})

test('rendering the same site again gives the same manifest', async () => {
  const again = await render('cloud', 'https://docs.acme.dev')
  assert.deepEqual(again.manifest, hosted.manifest)
})

test('skills are published under .well-known with their files and digests', () => {
  for (const made of [hosted, bundle]) {
    const own = made.text('.well-known/skills/deploy/SKILL.md')
    assert.equal(own, FILES['.mintlify/skills/deploy/SKILL.md'])
    assert.equal(made.text('.well-known/agent-skills/deploy/SKILL.md'), own)
    assert.equal(made.text('.well-known/skills/deploy/parts/steps.md'), 'Steps.\n')
    const about = { name: 'deploy', description: 'Deploys a site.' }
    assert.deepEqual(JSON.parse(made.text('.well-known/skills/index.json')), {
      skills: [{ ...about, files: ['SKILL.md', 'parts/steps.md'] }],
    })
    const digest = `sha256:${createHash('sha256').update(own).digest('hex')}`
    const { skills } = JSON.parse(made.text('.well-known/agent-skills/index.json'))
    assert.deepEqual(skills, [{ ...about, type: 'skill-md', url: 'deploy/SKILL.md', digest }])
    assert.deepEqual(
      Object.keys(made.manifest.files).filter((path) => path.includes('mintlify')),
      [],
    )
  }
})

test('related pages are listed at the end of a page and its Markdown version, broken ones as text', () => {
  const twin = hosted.text('a.md')
  assert.equal(
    twin.slice(twin.indexOf('Text.')),
    `Text.

## Related pages

- [Next](https://docs.acme.dev/z/next#there)
- [Start](https://docs.acme.dev/z/start#lost)
- [acme.test/help](https://acme.test/help/)
- [Older](https://docs.acme.dev/z/next)
- Gone
`,
  )
  const [list = ''] = /<nav class="related-pages".*?<\/nav>/s.exec(bundle.text('a.html')) ?? []
  assert.deepEqual(
    [...list.matchAll(/<li>(?:<a href="([^"]*)"[^>]*>)?([^<]*)/g)].map(([, href, title]) => [title, href]),
    [
      ['Next', 'z/next.html#there'],
      ['Start', 'z/start.html#lost'],
      ['acme.test/help', 'https://acme.test/help/'],
      ['Older', 'z/next.html'],
      ['Gone', undefined],
    ],
  )
})

test('a page in assistant mode shows only its text in a bundle and says that there is no assistant', () => {
  const page = bundle.text('talk.html')
  const [main = ''] = /<main.*?<\/main>/s.exec(page) ?? []
  assert.match(main, /class="mdx-content prose">.*Ask about <strong>anything<\/strong>\./s)
  assert.match(main, /<p class="ask-absent">There is no assistant here: it needs the hosted site/)
  assert.doesNotMatch(main, /table-of-contents|feedback|<footer/)
  assert.match(bundle.text('talk.md'), /Ask about \*\*anything\*\*\./)
})
