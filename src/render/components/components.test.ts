import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Components are TSX, which requires a bundler: the test renders small pages inside a bundle. */
const ENTRY = `
import { h, Fragment } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { setPageScope } from '../isolate/page-scope.ts'
import { components } from './registry.tsx'
import { COMPONENT_TEXTS } from '../words/english.ts'
export function render(make) {
  const seen = { headings: [], codes: [], tags: [], ids: [] }
  setPageScope({
    iconLibrary: 'lucide', hasAnchors: true, isInIsland: false, icon: () => null,
    text: (word) => COMPONENT_TEXTS[word],
    heading: (entry) => { seen.headings.push(entry); return entry.id ?? entry.text.toLowerCase().replace(/\\s+/g, '-') },
    anchor: (text) => { const id = text.toLowerCase().replace(/[^a-z0-9]+/g, '-'); seen.ids.push(id); return id },
    otherAnchor: (id) => id,
    headingAliases: () => [],
    code: (code, options) => { seen.codes.push({ code, ...options }); return '<code>' + code + '</code>' },
    updateTag: (tag) => seen.tags.push(tag),
    usesMermaid: () => {},
  })
  return { html: renderToString(make(h, components, Fragment)), seen }
}
`

interface Seen {
  headings: { text: string; level: number; id?: string }[]
  codes: { code: string; language: string; highlight: number[] }[]
  tags: string[]
}
// The bundle contains a separate copy of Preact, so its elements have no type here.
type Make = (
  h: (type: unknown, props: object | null, ...children: unknown[]) => never,
  c: Record<string, unknown>,
  F: unknown,
) => unknown

const bundle = await build({
  stdin: { contents: ENTRY, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
})
const { render } = (await import(
  `data:text/javascript,${encodeURIComponent(bundle.outputFiles[0]?.text ?? '')}`
)) as { render: (make: Make) => { html: string; seen: Seen } }

test('renders every tab panel in the HTML and links it to its tab in the bar', () => {
  const { html } = render((h, c) =>
    h(c.Tabs, null, '\n', h(c.Tab, { title: 'One' }, 'first'), h(c.Tab, { title: 'Two' }, 'second')),
  )
  assert.match(html, /role="tab"[^>]*aria-controls="one"[^>]*aria-selected="true"/)
  assert.match(html, /id="two"[^>]*aria-labelledby="two-tab"/)
  assert.ok(html.includes('first') && html.includes('second'))
})

test('finds tabs in fragments and in the content of a snippet', () => {
  const { html } = render((h, c, F) => {
    function MDXContent() {
      return h(F, null, h(c.Tab, { title: 'From a snippet' }, 'inner'))
    }
    return h(c.Tabs, null, h(F, null, h(c.Tab, { title: 'Own' }, 'x')), h(MDXContent, null))
  })
  assert.equal(html.match(/role="tab"/g)?.length, 2)
  assert.ok(html.includes('From a snippet') && html.includes('inner'))
})

test('keeps content of Tabs that is not a Tab', () => {
  const { html } = render((h, c) => h(c.Tabs, null, 'loose words', h(c.Tab, { title: 'A' }, 'x')))
  assert.ok(html.includes('loose words'))
})

test('a card with a link may contain other links without nesting anchors', () => {
  const { html } = render((h, c) =>
    h(c.Card, { title: 'T', href: 'https://a.test' }, h('a', { href: '/b' }, 'inner')),
  )
  assert.match(html, /<a class="card-link" href="https:\/\/a.test" target="_blank" rel="noreferrer">T<\/a>/)
  assert.doesNotMatch(html, /<a[^>]*>(?:(?!<\/a>).)*<a/)
})

test('accepts booleans and numbers as strings and renders markup in titles', () => {
  const { html } = render((h, c) => [
    h(c.Accordion, { title: 'Use `npm` <b>now</b>', defaultOpen: 'true' }, 'x'),
    h(c.Accordion, { title: 'Closed', defaultOpen: 'false' }, 'y'),
    h(c.CardGroup, { cols: '3' }, 'z'),
  ])
  assert.match(html, /<details class="accordion" id="use-npm-now" open/)
  assert.match(html, /<details class="accordion" id="closed">/)
  assert.ok(html.includes('Use <code>npm</code> <b>now</b>') && html.includes('data-cols="3"'))
})

test('icons become placeholders for names and images for paths, and elements are unchanged', () => {
  const { html } = render((h, c) => [
    h(c.Card, { title: 'a', icon: 'fa-rocket', iconType: 'solid' }),
    h(c.Card, { title: 'b', icon: '/images/b.svg' }),
    h(c.Card, { title: 'c', icon: h('svg', { id: 'own' }) }),
    h(c.Icon, { icon: { name: 'star', library: 'tabler' }, size: '24', color: '#f00' }),
  ])
  assert.match(html, /<o-icon data-l="lucide" data-n="rocket" data-s="solid"/)
  assert.match(html, /<img class="icon icon-image card-icon" src="\/images\/b.svg"/)
  assert.ok(html.includes('<svg id="own">'))
  assert.match(html, /data-l="tabler" data-n="star" data-z="24"[^>]*style="color:#f00"/)
})

test('headings have ids and table of contents entries, as do steps with a heading size', () => {
  const { html, seen } = render((h, c) => [
    h(c.h2, { id: 'own' }, 'Set', ' up'),
    h(c.h3, { noAnchor: true }, 'Quiet'),
    h(c.Steps, { titleSize: 'h3' }, h(c.Step, { title: 'Install' }, 'x')),
    h(c.Steps, null, h(c.Step, { title: 'Plain' }, 'x')),
  ])
  assert.deepEqual(
    seen.headings.map((heading) => [heading.level, heading.text]),
    [
      [2, 'Set up'],
      [3, 'Quiet'],
      [3, 'Install'],
    ],
  )
  assert.ok(html.includes('<h2 id="own">') && html.includes('href="#own"'))
  assert.equal(html.includes('href="#quiet"'), false)
})

test('code blocks keep text and options, and a code group titles each block', () => {
  const { html, seen } = render((h, c) =>
    h(
      c.CodeGroup,
      null,
      h(c.CodeBlock, { language: 'bash', filename: 'npm', highlight: '[1,3]' }, 'npm i\n'),
      h(c.CodeBlock, { language: 'python' }, 'pip'),
    ),
  )
  assert.deepEqual(
    seen.codes.map((code) => code.code),
    ['npm i', 'pip'],
  )
  assert.deepEqual(seen.codes[0]?.highlight, [1, 3])
  assert.ok(html.includes('data-title="npm"') && html.includes('data-title="Python"'))
})

test('an example nested in a panel creates a single side column', () => {
  const { html } = render((h, c) =>
    h(c.Panel, null, h(c.RequestExample, null, h(c.CodeBlock, { filename: 'a' }, 'x'))),
  )
  assert.equal(html.match(/<o-side>/g)?.length, 1)
})

test('marks content for agents only and for humans only', () => {
  const { html } = render((h, c) => [
    h(c.Visibility, { for: 'agents' }, 'secret'),
    h(c.Visibility, { for: 'humans' }, 'shown'),
  ])
  assert.equal(html, '<o-agents>secret</o-agents><o-humans>shown</o-humans>')
})

test('renders a nested list as a file tree', () => {
  const { html } = render((h, c) =>
    h(
      c.Tree,
      null,
      h('ul', null, h('li', null, 'src/', h('ul', null, h('li', null, 'a.ts'))), h('li', null, 'b.ts')),
    ),
  )
  assert.match(html, /<li class="tree-folder" data-folder="open"><div class="tree-label">/)
  assert.equal(html.match(/class="tree-file"/g)?.length, 2)
})

test('invalid props do not crash any component', () => {
  const nonsense = [undefined, null, {}, [], 12, true, () => 1, 'x', { name: {} }]
  for (const value of nonsense) {
    render((h, c) =>
      Object.entries(c)
        .filter(([name, component]) => !name.includes(':') && typeof component === 'function')
        .map(([, component]) =>
          h(component, {
            title: value,
            icon: value,
            href: value,
            cols: value,
            type: value,
            tags: value,
            value,
            chart: value,
          }),
        ),
    )
  }
})

test('a field shows a short default, hides a long one and accepts a link as type', () => {
  const { html } = render((h, c) =>
    h('div', null, [
      h(
        c.ParamField,
        { query: 'a', type: h('a', { href: '/types' }, 'Scopes'), default: 'x'.repeat(51) },
        'x',
      ),
      h(c.ResponseField, { name: 'b', type: 'string', default: 'x'.repeat(50) }, 'x'),
    ]),
  )
  assert.match(html, /default <code>x{50}<\/code>/)
  assert.doesNotMatch(html, /x{51}/)
  assert.match(html, /class="field-type"[^>]*><a href="\/types">Scopes<\/a>/)
})

test('an iframe keeps its size and its hidden border in valid HTML', () => {
  const frame = (props: object) => render((h, c) => h(c.iframe ?? c.Iframe, props)).html
  const shown = frame({ src: 'https://x.y/', width: '100%', height: '420', frameBorder: '0' })
  assert.match(shown, /style="width:\s?100%;\s?border:\s?0;?"/)
  assert.match(shown, /height="420"/)
  assert.doesNotMatch(shown, /width="|frameborder/i)
  const own = frame({ src: 'https://x.y/', width: '50%', style: { width: '70%' }, frameborder: '1' })
  assert.match(own, /style="width:\s?70%;?"/)
  assert.match(own, /frameborder="1"/i)
})

test('a table sets the word length of its columns and is marked as fitting only if it fits', () => {
  const table = (name: string, columns = 2) => {
    const cells = Array.from({ length: columns }, (_, index) => (index === 0 ? name : 'Implementer'))
    return render((h, c) =>
      h(
        c.table,
        null,
        h('thead', null, h('tr', null, ...cells.map((_, index) => h('th', null, `Head ${index}`)))),
        h('tbody', null, h('tr', null, ...cells.map((cell) => h('td', null, cell)))),
      ),
    ).html
  }
  assert.match(table('TLSN_INSUFFICIENT_BALANCE'), /data-fits[^>]*style="--word-1:\s?25;\s?--word-2:\s?11;?"/)
  assert.doesNotMatch(table('name'), /--word-1/)
  assert.doesNotMatch(table('x'.repeat(60)), /--word-1/)
  assert.match(table('name', 5), /data-fits/)
  assert.doesNotMatch(table('TLSN_INSUFFICIENT_BALANCE', 5), /data-fits/)
})
