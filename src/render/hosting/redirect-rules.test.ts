/** Tests that the rules of each server, interpreted as that server does, agree with the platform's own redirects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redirect } from '../../site/model.ts'
import { findRedirect } from '../../site/navigation/redirects.ts'
import { apacheRedirects, caddyRedirects, nginxRedirects } from './redirect-rules.ts'

const REDIRECTS: Redirect[] = (
  [
    ['/a', '/b'],
    ['/a/b', 'https://example.com/x?y=1#z', false],
    ['/was/*', '/guides/*'],
    ['/was/deeper/:slug*', '/deep/:slug*', false],
    ['/docs/:the-page', '/guides/:the-page'],
    ['/docs/:page/edit/:page2', '/edit/:page2/of/:page'],
    ['/:version/api/:rest*', '/reference/:version/:rest*'],
    ['/out/*', 'https://example.com/*'],
    ['/gone/*', '/b'],
    ['/v1.0/old-*', '/new-*'],
    ['/ü (x)/$[1]', '/ö "x" {y}$1'],
  ] as [string, string, boolean?][]
).map(([source, destination, isPermanent = true]) => ({ source, destination, isPermanent }))

const PATHS = [
  ...['/a', '/a/', '/a/b', '/A', '/aa', '/was/x', '/was/x/y', '/was/deeper/x', '/was/deeper', '/wasx'],
  ...['/docs/one', '/docs/one/', '/docs/one/two', '/docs/one/edit/two', '/docs', '/v2/api/x/y', '/v2/apix/y'],
  ...[
    '/v2/api',
    '/out/x',
    '/out',
    '/gone/with/it',
    '/v1.0/old-x',
    '/v1-0/old-x',
    '/ü (x)/$[1]',
    '/elsewhere',
  ],
]

interface Rule {
  source: RegExp
  target: string
  isPermanent: boolean
}

const unquoted = (text: string) => text.replace(/\\(["\\])/g, '$1')

/** Lists that a server consults in turn, until one has a target. */
const READERS: Record<string, () => Rule[][]> = {
  nginx: () =>
    mapsOf(nginxRedirects({ redirects: REDIRECTS }), /^ {4}"~((?:[^"\\]|\\.)*)" "([^"\s]*)";$/gm, unquoted),
  Caddy: () =>
    mapsOf(caddyRedirects({ redirects: REDIRECTS }), /^\t"~((?:[^"\\]|\\.)*)" "([^"\s]*)"$/gm, (text) =>
      text.replaceAll('\\"', '"'),
    ),
  Apache: () => [
    [
      ...apacheRedirects({ redirects: REDIRECTS }).matchAll(
        /^RewriteRule "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)" \[R=(\d+),L,NE,B,BNE=\/\]$/gm,
      ),
    ].map(([, source = '', target = '', status]) => ({
      source: new RegExp(source.replaceAll('\\"', '"')),
      target: target.replaceAll('\\%', '%').replace(/\$(\d)/g, '<$1>'),
      isPermanent: status === '308',
    })),
  ],
}

function mapsOf(file: string, line: RegExp, read: (text: string) => string): Rule[][] {
  return file
    .split('\nmap ')
    .slice(1)
    .map((map, index) =>
      [...map.matchAll(line)].map(([, source = '', target = '']) => ({
        source: new RegExp(read(source)),
        target: target.replace('$is_args$args', '').replace(/\$\{(?:octavo_)?(\d)\}/g, '<$1>'),
        isPermanent: index === 0,
      })),
    )
}

function answerOf(lists: Rule[][], path: string): { destination: string; isPermanent: boolean } | null {
  for (const list of lists) {
    const rule = list.find(({ source }) => source.test(path))
    if (!rule || rule.target === '') continue
    const parts = rule.source.exec(path) ?? []
    const filled = rule.target.replace(/<(\d)>/g, (_whole, place) => parts[place] ?? '')
    return {
      destination: decodeURIComponent(filled).replace(/(?<=[^/])\/$/, ''),
      isPermanent: rule.isPermanent,
    }
  }
  return null
}

for (const [name, read] of Object.entries(READERS)) {
  test(`the redirect rules for ${name} agree with the redirects of the platform`, () => {
    const lists = read()
    for (const path of PATHS) assert.deepEqual(answerOf(lists, path), findRedirect(REDIRECTS, path), path)
  })

  test(`a path cannot inject a header or another host into redirects of ${name}`, () => {
    for (const path of [
      '/docs/x\r\nA: b',
      '/was/x\r\nA: b',
      '/was/\n',
      '/v\n/api/x',
      '/out/\rx',
      '/was//evil.example',
      '/was/\\evil.example',
    ])
      assert.equal(answerOf(read(), path), null, JSON.stringify(path))
  })
}
