import assert from 'node:assert/strict'
import test from 'node:test'
import { FileMissingError, type FileTree } from '../../base/file-tree.ts'
import { sha256 } from '../../base/hash.ts'
import { resolveFeatures } from '../../contract/features.ts'
import { loadSite } from '../../site/load-site.ts'
import type { RenderedBody } from '../page/body.ts'
import { createLayout } from './layout.ts'
import type { LayoutInput } from './layout-input.ts'

/** A tree from texts by path. */
function treeOf(texts: Record<string, string>): FileTree {
  const encoder = new TextEncoder()
  const files = new Map(
    Object.entries(texts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, text]) => [path, { sizeBytes: encoder.encode(text).length, digest: sha256(text) }]),
  )
  return {
    revision: 'content:test',
    files,
    refused: [],
    read: async (path) => {
      const text = texts[path]
      if (text === undefined) throw new FileMissingError(path)
      return encoder.encode(text)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const DOCS = {
  theme: 'mint',
  name: 'Acme <Docs>',
  colors: { primary: '#5B5BD6' },
  navbar: { primary: { type: 'button', label: 'Go', href: 'https://acme.test' } },
  navigation: {
    versions: [
      {
        version: 'v2',
        groups: [
          {
            group: 'Start',
            pages: [
              'v2/intro',
              { group: 'Deep', pages: ['v2/deep', { group: 'Deeper', pages: ['v2/deeper'] }] },
              { group: 'Own page', root: 'v2/root', pages: ['v2/inside'] },
              'v2/free',
            ],
          },
        ],
      },
      { version: 'v1', groups: [{ group: 'Start', pages: ['v1/other', 'v1/intro'] }] },
    ],
  },
}

const PAGES: Record<string, string> = {
  'v2/intro.mdx': '---\ntitle: Intro "quoted" <b>\ndescription: With `code` & more\n---\nText',
  'v2/deep.mdx': '---\ntitle: Deep\n---\nText',
  'v2/deeper.mdx': '---\ntitle: Deeper\nnoindex: true\n---\nText',
  'v2/root.mdx': '---\ntitle: Root\n---\nText',
  'v2/inside.mdx': '---\ntitle: Inside\n---\nText',
  'v2/free.mdx': '---\ntitle: Free\nmode: custom\n---\nText',
  'v1/intro.mdx': '---\ntitle: Old intro\n---\nText',
  'v1/other.mdx': '---\ntitle: Other\n---\nText',
  'loose.mdx': '---\ntitle: Loose\n---\nText',
}

const EMPTY: RenderedBody = {
  html: '<p>Text</p>',
  side: null,
  markdown: 'Text',
  toc: [],
  sections: [],
  classes: [],
  usesMath: false,
  usesMermaid: false,
  islands: null,
  updateTags: [],
  problems: [],
}

async function layoutOf(change: Partial<LayoutInput> = {}, docs: object = DOCS) {
  const site = await loadSite(treeOf({ ...PAGES, 'docs.json': JSON.stringify(docs) }))
  return createLayout({
    site,
    deployment: 'client-hosted',
    features: resolveFeatures('client-hosted'),
    origin: null,
    navigationScript: 'navigation()',
    styles: ['/_octavo/site.css'],
    earlyScript: 'early()',
    scripts: ['/_octavo/main.js'],
    islandScripts: new Map(),
    thumbnailOf: () => null,
    icons: { light: { tabs: [], touch: null }, dark: { tabs: [], touch: null } },
    mathStyle: '/_octavo/katex.css',
    mermaidScript: '/_octavo/mermaid.js',
    twins: new Map([...site.pages.keys()].map((route) => [route, `${route.slice(1) || 'index'}.md`])),
    feeds: new Map(),
    llmsFile: 'llms.txt',
    playground: null,
    assistant: null,
    searchScript: '/_octavo/search.js',
    searchIndexes: { en: '/_octavo/search-en.js' },
    searchLanguages: null,
    widgets: { thumbs: false, code: false, suggestEdit: false, raiseIssue: false },
    repository: null,
    feedbackScript: null,
    analyticsScript: null,
    platformScript: null,
    finish: (html) => html,
    ...change,
  })
}

test('a group with a page of its own is a link, and beside it what opens the group', async () => {
  const layout = await layoutOf()
  const branch = (html: string) => /<li class="nav-branch">[\s\S]*?<ul>/.exec(html)?.[0] ?? ''
  const elsewhere = branch(layout.page('/v2/intro', EMPTY))
  assert.match(
    elsewhere,
    /<a href="\/v2\/root"><span>Own page<\/span><\/a><details><summary aria-label="Own page">/,
  )
  const open = branch(layout.page('/v2/inside', EMPTY))
  assert.match(open, /<details open><summary aria-label="Own page">/)
  assert.match(branch(layout.page('/v2/root', EMPTY)), /href="\/v2\/root" aria-current="page"/)
  assert.doesNotMatch(open, /<summary[^>]*>(?:(?!<\/summary>)[\s\S])*<a /)
})

test('the navigation marks the page and opens the groups around it, and no others', async () => {
  const layout = await layoutOf()
  const deeper = layout.page('/v2/deeper', EMPTY)
  assert.equal(deeper.match(/aria-current="page"/g)?.length, 1)
  assert.match(deeper, /href="\/v2\/deeper" aria-current="page" data-active="true"/)
  assert.equal(deeper.match(/<details open><summary>/g)?.length, 2)
  const intro = layout.page('/v2/intro', EMPTY)
  assert.match(intro, /href="\/v2\/intro" aria-current="page"/)
  assert.equal(intro.includes('<details open><summary>'), false)
  assert.equal(intro.includes('data-slot'), false)
})

test('the navigation of a sidebar is finished once for each depth', async () => {
  const sizes: number[] = []
  const layout = await layoutOf({
    finish: (html) => {
      if (html.includes('class="sidebar-nav"')) sizes.push(html.length)
      return html
    },
  })
  layout.page('/v2/intro', EMPTY)
  layout.page('/v2/deep', EMPTY)
  layout.page('/v2/deeper', EMPTY)
  assert.equal(sizes.length, 1)
})

test('a version switch stays on the same page where there is one, else leads to the first', async () => {
  const layout = await layoutOf()
  assert.match(layout.page('/v2/intro', EMPTY), /nav-dropdown-item" href="\/v1\/intro"/)
  assert.match(layout.page('/v2/deep', EMPTY), /nav-dropdown-item" href="\/v1\/other"/)
})

test('text of authors is text in titles and tags', async () => {
  const html = (await layoutOf()).page('/v2/intro', EMPTY)
  assert.ok(html.includes('<title>Intro &quot;quoted&quot; - Acme &lt;Docs&gt;</title>'))
  assert.ok(html.includes('<div class="page-description">With <code>code</code> &amp; more</div>'))
  assert.ok(html.includes('content="With code &amp; more"'))
})

test('a first heading that repeats the title is dropped, another one stays', async () => {
  const layout = await layoutOf()
  const twice = layout.page('/v2/deep', { ...EMPTY, html: '<h1 id="deep">Deep</h1><p>x</p>' })
  assert.equal(twice.match(/<h1/g)?.length, 1)
  const other = layout.page('/v2/deep', { ...EMPTY, html: '<h1 id="x">Else</h1><p>x</p>' })
  assert.equal(other.match(/<h1/g)?.length, 2)
})

test('a custom page is its content below the header, with the navigation for the drawer', async () => {
  const html = (await layoutOf()).page('/v2/free', { ...EMPTY, toc: [{ level: 2, id: 'a', text: 'A' }] })
  for (const absent of ['id="page-title"', 'id="table-of-contents"', 'id="pagination"', 'id="footer"']) {
    assert.equal(html.includes(absent), false, absent)
  }
  for (const present of ['id="navbar"', 'id="sidebar"', '<p>Text</p>'])
    assert.ok(html.includes(present), present)
})

test('a page outside of the navigation has a navigation all the same, without a mark', async () => {
  const html = (await layoutOf()).page('/loose', EMPTY)
  assert.ok(html.includes('id="sidebar"'))
  assert.equal(html.includes('aria-current="page"'), false)
})

test('addresses for engines are given when the origin is known and never guessed', async () => {
  const known = (await layoutOf({ origin: 'https://docs.acme.test' })).page('/v2/deep', EMPTY)
  assert.ok(known.includes('<link rel="canonical" href="https://docs.acme.test/v2/deep">'))
  const unknown = (await layoutOf()).page('/v2/deep', EMPTY)
  assert.equal(unknown.includes('canonical'), false)
  assert.equal(unknown.includes('og:url'), false)
  assert.equal(unknown.includes('noindex'), false)
  assert.match((await layoutOf()).page('/v2/deeper', EMPTY), /name="robots" content="noindex"/)
})

test('the only script in the page itself is the one that runs before the first paint', async () => {
  const html = (await layoutOf()).page('/v2/deep', { ...EMPTY, usesMermaid: true })
  assert.deepEqual(
    [...html.matchAll(/<script[^>]*>[^<]*/g)].map((match) => match[0]),
    ['<script>early()', '<script src="/_octavo/main.js" defer>'],
  )
  assert.equal(/ on[a-z]+="/.test(html), false)
})

test('without search there is no button and no index', async () => {
  const html = (
    await layoutOf({ features: resolveFeatures('air-gapped'), searchScript: null, searchIndexes: {} })
  ).page('/v2/deep', EMPTY)
  assert.equal(html.includes('search-bar-entry'), false)
  assert.equal(html.includes('octavo-index'), false)
})

test('the right column holds the examples instead of the contents', async () => {
  const html = (await layoutOf()).page('/v2/deep', {
    ...EMPTY,
    side: '<div class="example">curl</div>',
    toc: [{ level: 2, id: 'a', text: 'A' }],
  })
  assert.match(html, /data-layout="side"/)
  assert.equal(html.includes('id="table-of-contents"'), false)
})

test('a right-to-left language says so', async () => {
  const docs = {
    ...DOCS,
    navigation: { languages: [{ language: 'ar', groups: [{ group: 'أ', pages: ['v2/intro'] }] }] },
  }
  const html = (await layoutOf({}, docs)).page('/v2/intro', EMPTY)
  assert.match(html, /<html lang="ar" dir="rtl"/)
})

test('pages for missing addresses and for moved ones are whole documents', async () => {
  const layout = await layoutOf()
  assert.match(layout.notFound(), /^<!doctype html>[\s\S]*noindex[\s\S]*<\/html>\n$/)
  assert.match(layout.redirect('../x.html?a=1&b="2"'), /url=\.\.\/x\.html\?a=1&amp;b=&quot;2&quot;"/)
  assert.throws(() => layout.page('/nowhere', EMPTY), /no page/)
})

const ALL_WIDGETS = { thumbs: true, code: true, suggestEdit: true, raiseIssue: true }
const GATHERING = {
  widgets: ALL_WIDGETS,
  feedbackScript: '/_octavo/feedback.js',
  platformScript: '/_octavo/platform.js',
  repository: { address: 'https://github.com/acme/site', ref: 'main', docsFolder: 'docs' },
}

test('a page that takes feedback asks at its end, and links to its file and to a new issue', async () => {
  const html = (await layoutOf({ ...GATHERING, origin: 'https://docs.acme.test' })).page('/v2/intro', EMPTY)
  assert.match(html, /id="feedback-thumbs-up"[^>]*aria-pressed="false"/)
  assert.ok(html.includes('href="https://github.com/acme/site/edit/main/docs/v2/intro.mdx" target="_blank"'))
  assert.ok(html.includes('body=https%3A%2F%2Fdocs.acme.test%2Fv2%2Fintro'))
  assert.ok(html.includes('<script src="/_octavo/feedback.js" defer>'))
  assert.ok(html.includes('<link rel="octavo-platform" href="/_octavo/platform.js">'))
  assert.equal(html.includes('data-keep'), false)
})

test('without a network, feedback is kept, and says so to the script', async () => {
  const html = (await layoutOf({ ...GATHERING, deployment: 'air-gapped' })).page('/v2/deep', EMPTY)
  assert.match(html, /class="feedback-toolbar" aria-label="Feedback" data-keep data-code/)
})

test('links to the repository need no script, and a page without a footer has none of it', async () => {
  const links = {
    ...GATHERING,
    widgets: { ...ALL_WIDGETS, thumbs: false, code: false },
    feedbackScript: null,
  }
  const html = (await layoutOf(links)).page('/v2/deep', EMPTY)
  assert.ok(html.includes('class="feedback-links"'))
  for (const absent of ['feedback-thumbs', 'feedback.js', 'octavo-platform', '&quot;thanks&quot;'])
    assert.equal(html.includes(absent), false, absent)
  const bare = (await layoutOf(GATHERING)).page('/v2/free', EMPTY)
  for (const absent of ['feedback-toolbar', 'feedback.js', 'octavo-platform'])
    assert.equal(bare.includes(absent), false, absent)
})

test('the words of feedback are those of the language, and what is sent for a reason is English in all', async () => {
  const docs = {
    ...DOCS,
    navigation: { languages: [{ language: 'de', groups: [{ group: 'Los', pages: ['v2/intro'] }] }] },
  }
  const html = (await layoutOf(GATHERING, docs)).page('/v2/intro', EMPTY)
  assert.ok(html.includes('War diese Seite hilfreich?'))
  assert.ok(html.includes('[&quot;Something is missing&quot;,&quot;Etwas fehlt&quot;]'))
})

const LARGE = {
  ...DOCS,
  navigation: {
    groups: [
      ...Array.from({ length: 90 }, (_, index) => ({
        group: `Part ${index}`,
        tag: 'New',
        pages: ['v2/intro', 'v2/deep'],
      })),
      { group: 'Links', pages: [{ group: 'Out', pages: ['https://acme.test'] }, 'v1/intro'] },
      {
        group: 'Own',
        root: 'v2/root',
        pages: ['v2/inside', { group: 'Deeper', expanded: true, pages: ['v2/deeper'] }],
      },
    ],
  },
}

test('a group without a label has no empty title, and a link to it the name of its page', async () => {
  const pages = ['v2/inside', { group: '', root: 'v2/root', pages: ['v2/deeper'] }]
  const settings = {
    navigation: {
      groups: [
        { group: '', pages },
        { group: ' ', root: 'v2/root', pages: ['v2/deep'] },
      ],
    },
  }
  const html = (await layoutOf({}, settings)).page('/v2/inside', EMPTY)
  const [list = ''] = /<ul class="sidebar-nav"[\s\S]*?<\/nav>/.exec(html) ?? []
  assert.match(list, /<li class="sidebar-group-header"><ul/)
  assert.match(list, /<a class="sidebar-title" href="\/v2\/root"[^>]*><span>Root</)
  assert.doesNotMatch(list, /<span><\/span>|aria-label=""/)
  assert.doesNotMatch(html, /class="eyebrow"/)
})

test('a page of a large navigation holds its own group, and links to the others', async () => {
  const layout = await layoutOf({}, LARGE)
  const html = layout.page('/v2/inside', EMPTY)
  const [list = ''] = /<ul class="sidebar-nav" data-slots="[^"]*">[\s\S]*?<\/nav>/.exec(html) ?? []
  assert.match(
    list,
    /<a class="sidebar-title" href="\/v2\/intro"><span>Part 7<\/span><span class="nav-tag-pill">/,
  )
  assert.match(
    list,
    /<a class="sidebar-title" href="https:\/\/acme\.test" target="_blank" rel="noreferrer"><span>Links/,
  )
  assert.match(list, /<a href="\/v2\/inside" aria-current="page" data-active="true"><span>Inside/)
  assert.match(list, /<li><a href="\/v2\/deeper"><span>Deeper<\/span><\/a><\/li>/)
  assert.doesNotMatch(list, /data-slot=/)
  const [[path = '', script = ''] = []] = [...layout.navigation()]
  assert.ok(html.includes(`<script src="octavo-file:${path}"></script>`))
  assert.ok(list.length * 1.2 < script.length)
  assert.match(script, /^globalThis\.__octavoNavigation=".*";navigation\(\)\n$/)
})

test('a page of a large navigation is the same whichever was laid out before', async () => {
  const routes = ['/v2/intro', '/v1/intro', '/v2/root', '/v2/deeper', '/loose']
  const pagesOf = async (order: readonly string[]) => {
    const layout = await layoutOf({}, LARGE)
    return new Map(order.map((route) => [route, layout.page(route, EMPTY)]))
  }
  const [one, other] = [await pagesOf(routes), await pagesOf(routes.toReversed())]
  for (const route of routes) assert.equal(one.get(route), other.get(route), route)
})

test('each page of a small navigation holds all of it, and names no other file', async () => {
  const layout = await layoutOf()
  assert.doesNotMatch(layout.page('/v2/inside', EMPTY), /data-slots|octavo-file:_octavo/)
  assert.equal(layout.navigation().size, 0)
})

test('tabs are a bar where there is more than one to choose', async () => {
  const tab = (name: string, pages: string[], more: object = {}) => ({
    tab: name,
    groups: [{ group: name, pages }],
    ...more,
  })
  const docs = (tabs: object[]) => ({ name: 'Acme', navigation: { tabs } })
  const pageOf = async (tabs: object[]) => (await layoutOf({}, docs(tabs))).page('/v2/deep', EMPTY)
  const both = [tab('One', ['v2/deep']), tab('Two', ['v2/deeper'])]
  const shown = await pageOf(both)
  const bar = shown.slice(shown.indexOf('<nav class="nav-tabs"')).split('</nav>')[0] ?? ''
  assert.ok(bar.includes('>One</a>') && bar.includes('>Two</a>'), bar)
  assert.doesNotMatch(await pageOf(both.slice(0, 1)), /nav-tabs/)
  assert.doesNotMatch(
    await pageOf([tab('One', ['v2/deep']), tab('Two', ['v2/deeper'], { hidden: true })]),
    /nav-tabs/,
  )
})

test('an id that the text has is not given to what stands below it', async () => {
  const layout = await layoutOf()
  const ids = (html: string) => layout.page('/v2/deep', { ...EMPTY, html }).match(/ id="pagination"/g)?.length
  assert.equal(ids('<p>Text</p>'), 1)
  assert.equal(ids('<h2 id="pagination">Pagination</h2>'), 1)
})
