/** Mutated sources of every kind that a site is made of, up to two megabytes each; equal seeds give equal sources. */

export const KINDS = [
  'frontmatter',
  'settings',
  'page',
  'component',
  'api',
  'redirects',
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

/** One part again and again, two in turn, a random mixture, an opening and its closing nested. */
export function hostileSource(seed: number): HostileSource {
  const random = randomOf(seed)
  const kind = KINDS[seed % KINDS.length] as Kind
  const size = kind === 'pattern' ? 1 + random(1000) : Math.floor(2 ** (7 + (random(1000) / 1000) * 14))
  const part = () => PARTS[kind][random(PARTS[kind].length)] as string
  return { kind, text: SHAPES[random(SHAPES.length)]?.(part, size, random) ?? '' }
}

const SHAPES: ((part: () => string, size: number, random: (below: number) => number) => string)[] = [
  (part, size) => repeated(part(), size),
  (part, size) => repeated(part() + part(), size),
  (part, size) => repeated(part() + part() + part(), size),
  (part, size) => repeated(part(), size / 2) + repeated(part(), size / 2),
  (part, size) => part() + repeated(part(), size),
  (part, size) => {
    const pieces: string[] = []
    for (let length = 0; length < Math.min(size, 300_000); length += pieces.at(-1)?.length ?? 1)
      pieces.push(part() || ' ')
    return pieces.join('')
  },
]

function repeated(part: string, size: number): string {
  return part === '' ? ' '.repeat(size) : part.repeat(Math.ceil(size / part.length))
}

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): (below: number) => number {
  let state = (seed * 0x9e3779b9) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
