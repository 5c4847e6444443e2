/** Generates hostile texts for every kind of file in a site, up to 2 MB each. Deterministic for a seed. */
import { oneOf, type Random, randomOf } from './random.ts'

export const KINDS = [
  'frontmatter',
  'settings',
  'page',
  'component',
  'api',
  'redirects',
  'ignore',
  'html',
  'pattern',
] as const
export type Kind = (typeof KINDS)[number]

export interface HostileSource {
  kind: Kind
  text: string
}

const PARTS: Record<Kind, readonly string[]> = {
  frontmatter:
    '[ ] { } , : - ? & * ! | > # % @ ` " \' \\ a &a *a &a[*a,*a] <<: ---\n ...\n key: - \n \n\n \t \u0000 \u00e9 "" !!str'.split(
      ' ',
    ),
  settings:
    '[ ] { } , : " \\ // /* */ {"a": "pages":[ {"group":"g","pages":[ {"$ref":"docs.json"}, null true -1e9 \n \u2028 "x", "navigation":{ "tabs":[{'.split(
      ' ',
    ),
  page: [
    ...'[ ] ( ) ]( ![ ![a]( < > <Snippet <Card <img <script </script> <!-- --> {/* */} { } {` ` `` ``` ~~~ \\ | - # > * _ $ $$ \n \n\n'.split(
      ' ',
    ),
    'import a from ',
    'import {',
    'export const a = ',
    '"x"',
    "'",
    '  ',
    '| a ',
    '- [ ] ',
    '<!doctype ',
    '<br ',
  ],
  component:
    '/* */ // ` ${ } { ( ) => " \' \\ / \n import\tx\tfrom export\tdefault <a> </a> < > ; = "icon" return'.split(
      ' ',
    ),
  api: 'a: - [ ] { } , " \' : $ref: "#/a" &a *a \n \n\u0020\u0020 get: paths: | > # ? ! <<: {"a": type: properties:'.split(
    ' ',
  ),
  redirects: '/ * :a :a* ( ) (.*) ? # a %2e %zz .. // \\ \u00e9 http:// javascript: +'.split(' '),
  ignore: '* ** / \\ ! # ? [ ] [a-z] { } ( ) .mdx a page \n \r\n \u00e9 \u0000 $ ^ + | .. *.*'.split(' '),
  html: [
    ...'<img < > <img\tsrc=" " \' = / <!-- --> <o-icon <o-side> </o-side> class=" srcset=" , url( \\" @import <style> </style> <script> </script> &amp; &# <p> </p> <pre> <code> <table><tr><td> \n'.split(
      ' ',
    ),
    '   ',
    ' rel=',
    '<link ',
    '<?xml-stylesheet',
    '<!DOCTYPE x [',
    '<!ENTITY a "',
  ],
  pattern: 'a . * + ? {0} {500} {1,9} ( ) (?: (?= [ ] [^ | \\ \\p{L} \\b ^ $ ** {a,b} / é'.split(' '),
}

/** Valid texts, used as the base for mutations. */
const SOUND: Record<Kind, string> = {
  frontmatter:
    'title: Page\ndescription: "A page"\nicon: star\ntags: [a, b]\nnested:\n  - one: 1\n    two: "2"\n',
  settings:
    '{"theme":"mint","name":"Hostile","colors":{"primary":"#4F46E5"},"navigation":{"tabs":[{"tab":"A","groups":[{"group":"All","pages":["index",{"group":"In","pages":["page"]}]}]}]},"redirects":[{"source":"/a/:slug*","destination":"/b/:slug*"}],"navbar":{"links":[{"label":"x","href":"https://example.com"}]},"footer":{"socials":{"x":"https://x.com/a"}}}',
  page: '## Part\n\nWords with a [link](/page) and `code`.\n\n<Card title="A" href="/page">\n  Inside {1 + 1}\n</Card>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js title="a.js"\nconst a = 1\n```\n\n- one\n  - two\n\n$$\nx^2\n$$\n',
  component:
    'export const Part = ({ title = "x", children }) => {\n  const all = [1, 2, 3].map((n) => <li key={n}>{`${n} of ${title}`}</li>)\n  return <div className="part" style={{ color: "red" }}>{all}{children}</div>\n}\n',
  api: '  /things/{id}:\n    get:\n      summary: A thing\n      parameters:\n        - name: id\n          in: path\n          required: true\n          schema: { type: string }\n      responses:\n        "200":\n          description: ok\n          content:\n            application/json:\n              schema:\n                type: object\n                properties:\n                  a: { type: array, items: { $ref: "#/paths" } }\n',
  redirects: '/a/:slug* /b/:slug* /c/:one/d /e/(.*) /index /f/:path+ /g/:h?',
  ignore: 'drafts/\n*.draft.mdx\n!keep.mdx\n/private/**\n**/old/*\n# words\n',
  html: '<p class="a">Words <a href="/page" title="x">link</a></p><img src="/a.png" srcset="/a.png 1x, /b.png 2x" alt=""><style>a { background: url(/a.png) }</style><table><tr><td>1</td></tr></table><svg><use href="#a"/></svg>',
  pattern: '^(?:temp|degree)s?\\s{1,3}(\\d+(?:\\.\\d+)?)[^a-z]*$',
}

const LONGEST = 2_000_000

/** Generates a text from repeated, nested or randomly mixed hostile parts, or by changing a valid text. */
export function hostileSource(
  seed: number,
  { kind = oneOfKinds(seed), longest = LONGEST }: { kind?: Kind; longest?: number } = {},
): HostileSource {
  const random = randomOf(seed)
  const size =
    kind === 'pattern'
      ? 1 + random(1000)
      : Math.floor(2 ** (7 + (random(1000) / 1000) * (Math.log2(longest) - 7)))
  // Mostly change valid settings, because invalid JSON is rejected at its first bad character.
  const shape = kind === 'settings' && random(4) > 0 ? changed : oneOf(random, SHAPES)
  return { kind, text: shape(kind, size, random) }
}

function oneOfKinds(seed: number): Kind {
  return KINDS[seed % KINDS.length] as Kind
}

type Shape = (kind: Kind, size: number, random: Random) => string

const SHAPES: readonly Shape[] = [
  (kind, size, random) => repeated(parts(kind, 1, random), size),
  (kind, size, random) => repeated(parts(kind, 2, random), size),
  (kind, size, random) => repeated(parts(kind, 3, random), size),
  (kind, size, random) =>
    repeated(parts(kind, 1, random), size / 2) + repeated(parts(kind, 1, random), size / 2),
  (kind, size, random) => parts(kind, 1, random) + repeated(parts(kind, 1, random), size),
  (kind, size, random) => parts(kind, Math.ceil(Math.min(size, 300_000) / 4), random),
  changed,
  changed,
]

function parts(kind: Kind, count: number, random: Random): string {
  return Array.from({ length: count }, () => oneOf(random, PARTS[kind])).join('')
}

/** Puts long, deep, numerous or wrongly typed values anywhere into valid settings. The result is still JSON. */
function rewritten(size: number, random: Random): string {
  const settings = JSON.parse(SOUND.settings) as object
  for (let change = 1 + random(6); change > 0; change--) {
    let place: Record<string, unknown> = settings as Record<string, unknown>
    let key = oneOf(random, Object.keys(place))
    for (let depth = random(8); depth > 0; depth--) {
      const child = place[key]
      if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) break
      place = child as Record<string, unknown>
      key = oneOf(random, Object.keys(place))
    }
    place[key] = oddValue(place[key], size, random)
  }
  return JSON.stringify(settings)
}

function oddValue(was: unknown, size: number, random: Random): unknown {
  const many = Math.min(2 ** random(14), Math.ceil(size / 8))
  const odd: (() => unknown)[] = [
    () => null,
    () => -1e9,
    () => true,
    () => ({ $ref: oneOf(random, ['docs.json', './x.json', '../../etc/passwd', '#/a', '/docs.json']) }),
    () => repeated(parts('settings', 2, random), size),
    () => parts('page', 30, random),
    () => Array.from({ length: many }, () => was ?? null),
    () => Array.from({ length: many }, (_, number) => `page-${number}`),
    () => Object.fromEntries(Array.from({ length: many }, (_, number) => [`k${number}`, was ?? number])),
    () => nested(was, Math.min(many, 2000)),
    () => JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1}') as object,
  ]
  return oneOf(random, odd)()
}

function nested(inside: unknown, depth: number): unknown {
  let value = inside ?? null
  for (let level = 0; level < depth; level++) value = { group: 'g', pages: [value] }
  return value
}

/** Deletes or repeats pieces of a valid text and inserts hostile parts. */
function changed(kind: Kind, size: number, random: Random): string {
  if (kind === 'settings' && random(10) > 0) return rewritten(size, random)
  let text = SOUND[kind]
  for (let change = 1 + random(12); change > 0; change--) {
    const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b) as [
      number,
      number,
    ]
    const piece = text.slice(from, to)
    const room = Math.max(0, size - text.length)
    const times = piece === '' ? 0 : Math.min(2 ** random(16), Math.floor(room / piece.length))
    const middle = oneOf(random, ['', parts(kind, 1 + random(20), random), piece + piece.repeat(times)])
    text = text.slice(0, from) + middle + text.slice(to)
  }
  return text
}

function repeated(part: string, size: number): string {
  return part === '' ? ' '.repeat(size) : part.repeat(Math.ceil(size / part.length))
}
