import assert from 'node:assert/strict'
import test from 'node:test'
import { DOCS, EMPTY, layoutOf, withLinks, writtenPlaces } from '../../../tests/kit/laid-out.ts'
import type { Markup } from '../html/markup.ts'

test('a group with its own page is a link next to its toggle', async () => {
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

test('the sidebar marks the current page and opens only its parent groups', async () => {
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

test('finishes the navigation of a sidebar once per depth', async () => {
  const sizes: number[] = []
  const layout = await layoutOf({
    finish: (markup) => {
      const isList = markup.some(
        (piece) => typeof piece === 'string' && piece.includes('class="sidebar-nav"'),
      )
      if (isList) sizes.push(markup.length)
      return writtenPlaces(markup)
    },
  })
  layout.page('/v2/intro', EMPTY)
  layout.page('/v2/deep', EMPTY)
  layout.page('/v2/deeper', EMPTY)
  assert.equal(sizes.length, 1)
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

test('a group without a label has no empty title and its link shows the page title', async () => {
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

test('a page of a large navigation contains its own group and links to the others', async () => {
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

test('pages of a large navigation do not depend on the order in which they are rendered', async () => {
  const routes = ['/v2/intro', '/v1/intro', '/v2/root', '/v2/deeper', '/loose']
  const pagesOf = async (order: readonly string[]) => {
    const layout = await layoutOf({}, LARGE)
    return new Map(order.map((route) => [route, layout.page(route, EMPTY)]))
  }
  const [one, other] = [await pagesOf(routes), await pagesOf(routes.toReversed())]
  for (const route of routes) assert.equal(one.get(route), other.get(route), route)
})

test('each page of a small navigation contains all of it and refers to no other file', async () => {
  const layout = await layoutOf()
  assert.doesNotMatch(layout.page('/v2/inside', EMPTY), /data-slots|octavo-file:_octavo/)
  assert.equal(layout.navigation().size, 0)
})

test('U+007F in author text of a large navigation is not mistaken for the root path', async () => {
  const { groups } = LARGE.navigation
  const marked = { group: 'Mark\u007fed', pages: ['v2/free', '/\u007fx'] }
  const finish = (markup: Markup) => withLinks(markup, '\u007f')
  const layout = await layoutOf({ finish }, { ...DOCS, navigation: { groups: [...groups, marked] } })
  layout.page('/v2/intro', EMPTY)
  const [script = ''] = layout.navigation().values()
  assert.ok(script.includes('Marked'))
  assert.doesNotMatch(script.replaceAll('\u007f:', ''), /\u007f/)
  assert.match(script, / data-slot=\\"p0\\"/)
})
