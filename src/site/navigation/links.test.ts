import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SitePage } from '../model.ts'
import { type LinkSite, resolveLink } from './links.ts'

const site: LinkSite = {
  pages: new Map(
    ['/start', '/guides', '/guides/a b', '/guides/x', '/ü'].map((route) => [route, { route } as SitePage]),
  ),
  assets: new Set(['images/a.png', 'guides/own.png', 'spec.json']),
  redirects: [{ source: '/old/*', destination: '/guides/*', isPermanent: true }],
  homeRoute: '/start',
}
const from = (file: string | null, href: string) => {
  const target = resolveLink(site, file, href)
  if (target.kind === 'page') return `page ${target.route}${target.suffix}`
  if (target.kind === 'asset') return `asset ${target.path}${target.suffix}`
  if (target.kind === 'redirect') return `redirect ${target.destination}${target.suffix}`
  if (target.kind === 'anchor') return `anchor ${target.id}`
  return `${target.kind} ${'path' in target ? target.path : target.url}`
}

test('resolves links from the root, relative to the file and with extensions', () => {
  const file = 'guides/index.mdx'
  assert.deepEqual(
    [
      '/guides/x',
      '/guides/x/',
      '/guides/x.mdx',
      'x',
      './x.md#y',
      '../guides/x?q#y',
      '../start',
      'start',
      '/guides/index',
    ].map((href) => from(file, href)),
    [
      'page /guides/x',
      'page /guides/x',
      'page /guides/x',
      'page /guides/x',
      'page /guides/x#y',
      'page /guides/x?q#y',
      'page /start',
      'page /start',
      'page /guides',
    ],
  )
})

test('percent-encoded and plain characters resolve to the same page', () => {
  assert.equal(from(null, '/guides/a%20b'), 'page /guides/a b')
  assert.equal(from(null, '/guides/a b'), 'page /guides/a b')
  assert.equal(from(null, '/%C3%BC'), 'page /ü')
  assert.equal(from(null, '/%E0%A4%A'), 'missing /%E0%A4%A')
})

test('resolves assets, generated files, redirects and the home page', () => {
  assert.equal(from('guides/x.mdx', 'own.png'), 'asset guides/own.png')
  assert.equal(from('guides/x.mdx', '/images/a.png?v=2'), 'asset images/a.png?v=2')
  assert.equal(from(null, '/llms.txt'), 'asset llms.txt')
  assert.equal(from(null, '/guides/x/rss.xml'), 'asset guides/x/rss.xml')
  assert.equal(from(null, '/old/x#z'), 'redirect /guides/x#z')
  assert.equal(from(null, '/'), 'page /start')
})

test('distinguishes external links, anchors, unsafe scripts and missing targets', () => {
  assert.equal(from(null, 'https://x.y/z'), 'external https://x.y/z')
  assert.equal(from(null, 'mailto:a@b.c'), 'external mailto:a@b.c')
  assert.equal(from(null, '//x.y'), 'external //x.y')
  assert.equal(from(null, '#a%20b'), 'anchor a b')
  assert.equal(from(null, '?tab=1'), 'anchor ')
  assert.equal(from(null, ' java\nscript:alert(1)'), 'unsafe java\nscript:alert(1)')
  assert.equal(from('guides/x.mdx', '../../../etc/passwd'), 'missing /etc/passwd')
  assert.equal(from('guides/x.mdx', 'nope'), 'missing /guides/nope')
})
