/** Lays out pages of a small site around a body of one paragraph. */

import { resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { createLayout } from '../../src/render/chrome/layout.ts'
import type { LayoutInput } from '../../src/render/chrome/layout-input.ts'
import { fillPlaceholders, type Markup } from '../../src/render/html/markup.ts'
import { raw } from '../../src/render/html/template.ts'
import type { RenderedBody } from '../../src/render/page/body.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { markupText } from './markup-text.ts'

export const DOCS = {
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

export const EMPTY: RenderedBody = {
  html: raw('<p>Text</p>'),
  side: null,
  opening: null,
  anchors: anchorsOf(''),
  images: [],
  pictures: [],
  remote: [],
  updates: [],
  markdown: 'Text',
  toc: [],
  sections: [],
  classes: [],
  usesMath: false,
  usesMermaid: false,
  islands: null,
  updateTags: [],
  problems: [],
  samples: [],
}

export function anchorsOf(ids: string): RenderedBody['anchors'] {
  return { ids, links: [], isOpen: false }
}

/** Writes all placeholders except slots as text, with addresses left as they are. */
export function writtenPlaces(markup: Markup): Markup {
  return fillPlaceholders(markup, (place) => (place.kind === 'slot' ? place : markupText([place])))
}

/** Prefixes each absolute link with the place it was written for. */
export function withLinks(markup: Markup, place: number | string): Markup {
  return writtenPlaces(
    markup.map((piece) =>
      typeof piece === 'string' || piece.kind !== 'attributes'
        ? piece
        : {
            ...piece,
            attributes: piece.attributes.map((one) => (one?.startsWith('/') ? `${place}:${one}` : one)),
          },
    ),
  )
}

export async function layoutOf(change: Partial<LayoutInput> = {}, docs: object = DOCS) {
  const site = await loadSite(openMemoryTree({ ...PAGES, 'docs.json': JSON.stringify(docs) }))
  return createLayout({
    site,
    deployment: 'client-hosted',
    features: resolveFeatures('client-hosted'),
    origin: null,
    navigationScript: 'navigation()',
    utilities: () => null,
    styles: ['/_octavo/site.css'],
    earlyScript: 'early()',
    scripts: ['/_octavo/main.js'],
    islandScripts: new Map(),
    thumbnailOf: () => null,
    touchIcon: null,
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
    finish: writtenPlaces,
    ...change,
  })
}
