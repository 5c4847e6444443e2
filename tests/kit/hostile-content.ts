/** More than five hundred files that attack the code that reads them. Text that runs in a browser sets `HIT`. */
import { type Canaries, codePages, ENDLESS } from './hostile-code.ts'
import { HIT, injectionPayloads } from './payloads.ts'

export interface HostileSite {
  /** Page names without extension; each must produce output. */
  pages: string[]
  files: Record<string, string>
}

const yaml = (text: string) => JSON.stringify(text)
const inCode = (text: string) => JSON.stringify(text).replaceAll('</', '<\\/')

/** Returns a docs.json with the pages and additional settings. */
function settings(pages: readonly string[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    theme: 'mint',
    name: 'Hostile',
    colors: { primary: '#4F46E5' },
    navigation: { groups: [{ group: 'All', pages: ['index', ...pages] }] },
    ...more,
  })
}

function siteOf(pages: string[], files: Record<string, string>, more?: Record<string, unknown>): HostileSite {
  const index = '---\ntitle: Home\n---\n\nSound text.\n'
  return {
    pages: ['index', ...pages],
    files: { 'index.mdx': index, 'docs.json': settings(pages, more), ...files },
  }
}

/** Expressions and components that try to escape their isolate; only every `every`-th one. */
export function codeSite(canaries: Canaries, every: number): HostileSite {
  const { pages, files } = codePages(canaries, every)
  return siteOf(pages, files)
}

/** The first `count` pages with code that never ends or uses up all memory. */
export function endlessSite(count: number): HostileSite {
  const files: Record<string, string> = {}
  const pages = ENDLESS.slice(0, count).map((code, index) => {
    const name = `endless-${index}`
    files[`${name}.mdx`] =
      `---\ntitle: ${name}\n---\n\nFirst words.\n\n{(() => { ${code} })()}\n\nLast words.\n`
    return name
  })
  return siteOf(pages, files)
}

/** Parts of a page that accept text, which must never be interpreted as anything else. */
const TEXT_PLACES: ((text: string) => string)[] = [
  (text) =>
    `---\ntitle: ${yaml(text)}\ndescription: ${yaml(text)}\nsidebarTitle: ${yaml(text)}\n---\n\n## Part\n\nWords.\n`,
  (text) =>
    `---\ntitle: Meta\ntag: ${yaml(text)}\nicon: ${yaml(text)}\nkeywords: [${yaml(text)}]\n"og:title": ${yaml(text)}\n"og:image": ${yaml(text)}\n"twitter:image": ${yaml(text)}\ncanonical: ${yaml(text)}\n${yaml(text)}: ${yaml(text)}\nauthor: ${yaml(text)}\n---\n\nWords.\n`,
  (text) => `---\ntitle: Expression\n---\n\n## Head {${inCode(text)}}\n\nWords {${inCode(text)}}.\n`,
  (text) =>
    `---\ntitle: Fence\n---\n\n~~~~html\n${text.replace(/[\r\n]/g, ' ')}\n~~~~\n\n\`\`\`\`txt\n${text}\n\`\`\`\`\n`,
  (text) => `---\ntitle: Fence title\n---\n\n~~~~js ${text.replace(/[\r\n~]/g, ' ')}\nlet a\n~~~~\n`,
  (text) =>
    `---\ntitle: Props\n---\n\n<Card title={${inCode(text)}} icon={${inCode(text)}} href={${inCode(text)}} cta={${inCode(text)}} img={${inCode(text)}}>x</Card>\n\n<Tabs><Tab title={${inCode(text)}} icon={${inCode(text)}}>x</Tab></Tabs>\n\n<Accordion title={${inCode(text)}} description={${inCode(text)}}>x</Accordion>\n\n<Tooltip tip={${inCode(text)}} cta={${inCode(text)}} href={${inCode(text)}}>x</Tooltip>\n\n<Badge color={${inCode(text)}}>x</Badge>\n`,
  (text) =>
    `---\ntitle: Updates\nrss: true\n---\n\n<Update label={${inCode(text)}} description={${inCode(text)}} tags={[${inCode(text)}]} rss={{ title: ${inCode(text)}, description: ${inCode(text)} }}>Words {${inCode(text)}}</Update>\n\n<ParamField path={${inCode(text)}} type={${inCode(text)}} default={${inCode(text)}}>x</ParamField>\n\n<ResponseField name={${inCode(text)}} type={${inCode(text)}} pre={[${inCode(text)}]}>x</ResponseField>\n\n<Steps><Step title={${inCode(text)}}>x</Step></Steps>\n\n<Frame caption={${inCode(text)}}>x</Frame>\n`,
  (text) => {
    const line = text.replace(/[\r\n`$]/g, ' ')
    return `---\ntitle: Diagram\n---\n\n~~~~mermaid\ngraph TD\n  A["${line.replaceAll('"', "'")}"] --> B\n  click A "javascript:window.${HIT}=1"\n~~~~\n\n$$\n\\href{javascript:window.${HIT}=1}{x} \\htmlData{a=${line.replace(/[{}\\%#]/g, '')}}{y} \\text{${line.replace(/[{}\\%#]/g, '')}}\n$$\n`
  },
  (text) =>
    `---\ntitle: Languages\n---\n\n<CodeGroup>\n\n~~~~js ${text.replace(/[\r\n~]/g, ' ')}\nlet a = ${text.replace(/[\r\n]/g, ' ')}\n~~~~\n\n~~~~bash title=${yaml(text.replace(/[~]/g, ''))}\ncurl\n~~~~\n\n</CodeGroup>\n`,
]

/** A site with hostile text only, where no page may run any of it. */
export function textSite(count: number): HostileSite {
  const files: Record<string, string> = {}
  const texts = injectionPayloads(1200)
  const pages = Array.from({ length: count }, (_, index) => {
    const name = `text-${index}`
    const place = TEXT_PLACES[index % TEXT_PLACES.length] as (typeof TEXT_PLACES)[number]
    // A coprime stride combines every kind of payload with every part of a page.
    files[`${name}.mdx`] = place(texts[(index * 37) % texts.length] as string)
    return name
  })
  return siteOf(pages, files)
}

const SCRIPT_SCHEMES = [
  `javascript:window.${HIT}=1`,
  `JaVaScRiPt:window.${HIT}=1`,
  `java\tscript:window.${HIT}=1`,
  `java\nscript:window.${HIT}=1`,
  ` \u0001javascript:window.${HIT}=1`,
  `\u00a0javascript:window.${HIT}=1`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>opener.${HIT}=1</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg onload=alert(1)>`,
  `javascript&colon;window.${HIT}=1`,
  `&#106;avascript:window.${HIT}=1`,
  `//javascript:0/%0awindow.${HIT}=1`,
  `/\\evil.test/x`,
  `javascript://x/%0awindow.${HIT}=1`,
]

/** URLs that run script, in every part of a page and of docs.json that accepts a URL. */
export function addressSite(): HostileSite {
  const files: Record<string, string> = {}
  const place: Record<string, (address: string) => string> = {
    link: (address) =>
      `[x](<${address.replace(/[<>\n]/g, (c) => encodeURIComponent(c))}>) ![x](<${address.replace(/[<>\n]/g, '')}>)`,
    reference: (address) => `[x][a]\n\n[a]: <${address.replace(/[<>\n]/g, '')}>`,
    card: (address) => `<Card title="x" href={${inCode(address)}} img={${inCode(address)}}>x</Card>`,
    tip: (address) => `<Tooltip tip="x" cta="y" href={${inCode(address)}}>x</Tooltip>`,
    tile: (address) =>
      `<Tile title="x" href={${inCode(address)}} /> <Icon icon={${inCode(address)}} /> <Frame><img src={${inCode(address)}} /></Frame>`,
  }
  const pages = SCRIPT_SCHEMES.flatMap((address, index) =>
    Object.entries(place).map(([kind, write]) => {
      const name = `address-${kind}-${index}`
      files[`${name}.mdx`] = `---\ntitle: ${name}\nurl: ""\n---\n\n${write(address)}\n\nLast words.\n`
      return name
    }),
  )
  SCRIPT_SCHEMES.forEach((address, index) => {
    files[`url-${index}.mdx`] = `---\ntitle: Outside ${index}\nurl: ${yaml(address)}\n---\n`
  })
  return siteOf(pages, files, hostileSettings(SCRIPT_SCHEMES, pages))
}

/** Puts hostile text into every displayed docs.json setting and the addresses into every setting that is a link. */
function hostileSettings(addresses: readonly string[], pages: readonly string[]): Record<string, unknown> {
  const text = `</script><!--<script>]]>"><img src=x onerror="window.${HIT}=1">`
  const links = addresses.map((href, index) => ({ label: `${text} ${index}`, href, icon: text }))
  const outside = addresses.map((_, index) => `url-${index}`)
  return {
    name: `Name ${text}`,
    description: text,
    logo: { light: addresses[0], dark: addresses[1], href: addresses[0] },
    favicon: addresses[2],
    colors: { primary: '#4F46E5', light: `red;}</style>${text}`, dark: 'url(javascript:1)' },
    banner: { content: `${text} [x](${addresses[0]}) <a href="${addresses[1]}">y</a>`, dismissible: true },
    navbar: { links, primary: { type: 'button', label: text, href: addresses[0] } },
    footer: {
      socials: { x: addresses[0], github: addresses[4], [text]: addresses[1] },
      links: [{ header: text, items: links }],
    },
    redirects: addresses.map((destination, index) => ({ source: `/from-${index}`, destination })),
    seo: {
      metatags: { [text]: text, refresh: `0;url=${addresses[0]}`, canonical: 'https://docs.example.test' },
    },
    fonts: { family: text, source: addresses[0] },
    contextual: {
      options: ['copy', 'view', { title: text, description: text, icon: text, href: addresses[0] }],
    },
    errors: { '404': { title: text, description: text } },
    search: { prompt: text },
    thumbnails: { background: addresses[0] },
    __proto__: { polluted: 'polluted' },
    constructor: { prototype: { polluted: 'polluted' } },
    navigation: {
      global: { anchors: links.map(({ label, href, icon }) => ({ anchor: label, href, icon })) },
      tabs: [
        {
          tab: `Tab ${text}`,
          icon: text,
          groups: [{ group: text, icon: text, tag: text, pages: ['index', ...pages, ...outside] }],
        },
        ...addresses.map((href, index) => ({ tab: `Out ${index}`, href })),
      ],
    },
  }
}

const SVG_BODIES = [
  `<script>window.${HIT}=1</script>`,
  `<script href="data:text/javascript,window.${HIT}=1"/>`,
  `<script xlink:href="data:text/javascript,window.${HIT}=1"/>`,
  `<s:script xmlns:s="http://www.w3.org/2000/svg">window.${HIT}=1</s:script>`,
  `<_:script xmlns:_="http://www.w3.org/2000/svg">window.${HIT}=1</_:script>`,
  `<é:script xmlns:é="http://www.w3.org/2000/svg">window.${HIT}=1</é:script>`,
  `<h:script xmlns:h="http://www.w3.org/1999/xhtml">window.${HIT}=1</h:script>`,
  `<title><script>window.${HIT}=1</script></title>`,
  `<style><script>window.${HIT}=1</script></style>`,
  `<h:textarea xmlns:h="http://www.w3.org/1999/xhtml"><script>window.${HIT}=1</script></h:textarea>`,
  `<textarea><script>window.${HIT}=1</script></textarea>`,
  `<desc><![CDATA[ > <!-- ]]><script>window.${HIT}=1</script><!-- --></desc>`,
  `<?x > <!-- ?><script>window.${HIT}=1</script><!-- -->`,
  `<g onload="window.${HIT}=1"/>`,
  `<g\nonload = 'window.${HIT}=1'/>`,
  `<image href="x.png" onerror="window.${HIT}=1"/>`,
  `<animate attributeName="x" dur="1s" onbegin="window.${HIT}=1"/>`,
  `<set attributeName="onload" to="window.${HIT}=1"/>`,
  `<a href="javascript:window.${HIT}=1"><rect id="go" width="99" height="99"/></a>`,
  `<a href="java&#115;cript:window.${HIT}=1"><rect id="go" width="99" height="99"/></a>`,
  `<a href="&#x6a;avascript:window.${HIT}=1"><rect id="go" width="99" height="99"/></a>`,
  `<a href="java&#9;script:window.${HIT}=1"><rect id="go" width="99" height="99"/></a>`,
  `<a xmlns:l="http://www.w3.org/1999/xlink" l:href="java&#115;cript:window.${HIT}=1"><rect id="go" width="99" height="99"/></a>`,
  `<a><animate attributeName="href" values="javascript:window.${HIT}=1"/><rect id="go" width="99" height="99"/></a>`,
  `<a><set attributeName="href" to="java&#115;cript:window.${HIT}=1"/><rect id="go" width="99" height="99"/></a>`,
  `<use href="data:image/svg+xml,&lt;svg id='a' xmlns='http://www.w3.org/2000/svg' onload='window.${HIT}=1'/&gt;#a"/>`,
  `<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;parent.${HIT}=1&lt;/script&gt;"/></foreignObject>`,
  `<foreignObject><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x" onerror="window.${HIT}=1"/></foreignObject>`,
  `<foreignObject><_:iframe xmlns:_="http://www.w3.org/1999/xhtml" src="java&#115;cript:parent.${HIT}=1"/></foreignObject>`,
  `<foreignObject><h:object xmlns:h="http://www.w3.org/1999/xhtml" data="data:text/html,x"/></foreignObject>`,
  `<foreignObject><h:meta xmlns:h="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=data:text/html,x"/></foreignObject>`,
]
const SVG_PROLOGUES = [
  `<!DOCTYPE svg [<!ENTITY s "<script>window.${HIT}=1</script>">]>`,
  `<!DOCTYPE svg [<!ENTITY % p "x"><!ENTITY s '<g onload="window.${HIT}=1"/>'>]>`,
  `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "window.${HIT}=1">]>`,
  `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY s "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`,
  `<!DOCTYPE svg SYSTEM "file:///etc/passwd" [<!ENTITY s SYSTEM "file:///etc/passwd">]>`,
  `<?xml-stylesheet type="text/xsl" href="data:text/xml,x"?><!DOCTYPE svg [<!ENTITY s "x">]>`,
]

/** SVG images, none of which may run script when opened directly. */
export function pictureFiles(): Record<string, string> {
  const open = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
  const texts = [
    ...SVG_BODIES.map((body) => `${open}${body}</svg>`),
    ...SVG_PROLOGUES.map((prologue) => `${prologue}${open}&s;</svg>`),
  ]
  return Object.fromEntries(texts.map((text, index) => [`images/picture-${index}.svg`, text]))
}

/** Frontmatter that tries to pollute prototypes or to expand without limit. */
const FRONTMATTERS = [
  'title: x\n__proto__: { polluted: polluted }',
  'title: x\n"__proto__": { mode: polluted }',
  'title: x\nconstructor: { prototype: { polluted: polluted } }',
  'title: { __proto__: { toString: polluted } }',
  'title: { toString: 1, valueOf: 2 }',
  'title: !!js/function "function () { return process.env }"',
  'title: !!js/regexp /(a+)+$/',
  'title: !!python/object/apply:os.system ["touch x"]',
  'title: !<tag:yaml.org,2002:js/function> "x"',
  'title: !!binary AAAA',
  'title: !!set { a, b }',
  'title: !!timestamp 2001-01-01',
  'title: [a, [b, [c]]]',
  'title: null',
  'title: .inf',
  'title: 0x1F',
  `title: &a x\nother: *a\nloop: &l [*l]`,
  `title: x\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nkeywords: *g`,
  `title: x\n<<: { __proto__: { polluted: polluted } }`,
  `title: x\ndeep: ${'['.repeat(5000)}${']'.repeat(5000)}`,
  `title: x\ndeep: ${'{a: '.repeat(3000)}1${'}'.repeat(3000)}`,
  'title: "\\u0000\\u202e\\u200b"',
  'title: x\ntitle: y',
  'title: x\nmode: __proto__\nicon: constructor\ntag: toString\nurl: 7\nopenapi: { __proto__: x }',
  'title: x\nopenapi: "file:///etc/passwd GET /"',
  'title: x\nopenapi: "../../secret.txt GET /x"',
  'title: x\nopenapi: "__proto__ constructor toString"',
  'title: "x\nunclosed: [',
  '- a\n- b',
  '"just text"',
]

export function frontmatterSite(): HostileSite {
  const files: Record<string, string> = {}
  const pages = FRONTMATTERS.map((front, index) => {
    files[`front-${index}.mdx`] = `---\n${front}\n---\n\nLast words.\n`
    return `front-${index}`
  })
  return siteOf(pages, files)
}

const deep = (open: string, close: string, count: number) => `${open.repeat(count)}x${close.repeat(count)}`

/** Very large or deeply nested page bodies. `scale` 1 is the full size; use less for quick runs. */
export function giantSite(scale: number): HostileSite {
  const n = (count: number) => Math.ceil(count * scale)
  const bodies: Record<string, string> = {
    line: 'word '.repeat(n(2_000_000)),
    headings: '## Heading\n\n'.repeat(n(100_000)),
    tags: deep('<div>', '</div>', n(10_000)),
    components: deep('<Card title="x">', '</Card>', n(10_000)),
    open: '<div>'.repeat(n(10_000)),
    lists: Array.from({ length: n(1000) }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
    quotes: `${'> '.repeat(n(10_000))}x`,
    brackets: deep('[', ']', n(10_000)),
    links: deep('[', '](x)', n(10_000)),
    stars: '*'.repeat(n(100_000)),
    under: deep('**a_', '_b**', n(10_000)),
    ticks: '`'.repeat(n(100_000)),
    braces: deep('{', '}', n(10_000)),
    parens: `{${deep('(', ')', n(10_000))}}`,
    entities: '&amp;'.repeat(n(200_000)),
    table: `|${'a|'.repeat(n(5000))}\n|${'-|'.repeat(n(5000))}\n|${'b|'.repeat(n(5000))}`,
    dollars: '$$'.repeat(n(50_000)),
    math: `$$\n${deep('\\frac{', '}{1}', n(2000))}\n$$`,
    macro: '$$\n\\def\\a{\\b\\b}\\def\\b{\\a\\a}\\a\n$$',
    fence: `\`\`\`js\n${'('.repeat(n(200_000))}\n\`\`\``,
    regex: `\`\`\`html\n${'<!--'.repeat(n(20_000))}\n\`\`\``,
    markup: `{"${'<a '.repeat(n(50_000))}"}`,
  }
  const files: Record<string, string> = {}
  const pages = Object.entries(bodies).map(([kind, body]) => {
    files[`giant-${kind}.mdx`] = `---\ntitle: ${kind}\n---\n\n${body}\n\nLast words.\n`
    return `giant-${kind}`
  })
  const title = '`**__[a](b)<a href="'.repeat(n(5000))
  files['giant-title.mdx'] = `---\ntitle: ${yaml(title)}\ndescription: ${yaml(title)}\n---\n\nLast words.\n`
  return siteOf([...pages, 'giant-title'], files)
}

/** Paths that lead out of the folder, and names that are problematic in file systems or pages. */
export function pathSite(canaries: Canaries): HostileSite {
  const up = '../'.repeat(12)
  const absolute = canaries.secretFile
  const outside = [
    absolute,
    `${up}${absolute.slice(1)}`,
    '../secret.txt',
    '..\\secret.txt',
    '%2e%2e/secret.txt',
    '..%2fsecret.txt',
    '%252e%252e%252fsecret.txt',
    '/../secret.txt',
    '//../secret.txt',
    `file://${absolute}`,
    'linked.txt',
    'linked/secret.txt',
    '\u0000../secret.txt',
    canaries.url,
  ]
  const files: Record<string, string> = {}
  const pages = outside.flatMap((path, index) => {
    const quoted = JSON.stringify(path)
    files[`path-import-${index}.mdx`] =
      `---\ntitle: p\n---\n\nimport Taken from ${quoted}\n\n<Taken />\n\n<Snippet file=${quoted.replaceAll('\\', '')} />\n\nLast words.\n`
    files[`path-image-${index}.mdx`] =
      `---\ntitle: p\n"og:image": ${quoted}\nopenapi: ${JSON.stringify(`${path} GET /x`)}\n---\n\n![x](<${path}>) [x](<${path}>)\n\nLast words.\n`
    return [`path-import-${index}`, `path-image-${index}`]
  })
  const names = [
    'a"b',
    "a'b",
    'a<b>',
    'a&b',
    'a b',
    'con',
    'nul',
    'aux.x',
    'Case',
    'case',
    'a\nb',
    '‮txt',
    'a​b',
    '__proto__',
    'constructor',
    'a%2fb',
    '%2e%2e',
    'a;b',
    'a?b',
    'a#b',
    '`a`',
    '{a}',
    '-rf',
    `<img src=x onerror=window.${HIT}=1>`,
  ]
  for (const name of names) files[`names/${name}.mdx`] = `---\ntitle: n\n---\n\nLast words.\n`
  const strange = names.map((name) => `names/${name}`)
  const api = {
    openapi: '3.1.0',
    info: { title: `</script><img src=x onerror=window.${HIT}=1>`, version: '1' },
    servers: [{ url: `javascript:window.${HIT}=1` }, { url: `"><img src=x onerror=window.${HIT}=1>` }],
    paths: Object.fromEntries(
      [...outside.slice(0, 12), '#/paths', '#/__proto__'].map((path, index) => [
        `/op-${index}<script>`,
        {
          get: {
            summary: `Op ${index} </script><script>window.${HIT}=1</script>`,
            description: `<img src=x onerror="window.${HIT}=1"> {process.env.PATH}`,
            parameters: [{ name: `"><svg onload=window.${HIT}=1>`, in: 'query', schema: { $ref: path } }],
            responses: {
              200: {
                description: ']]>',
                content: { 'application/json': { schema: { $ref: `${path}#/x` } } },
              },
            },
          },
        },
      ]),
    ),
  }
  files['api.json'] = JSON.stringify(api)
  const all = [...pages, ...strange]
  const navigation = {
    groups: [
      { group: 'All', pages: ['index', ...all, ...outside, 'names/CASE', 'index'] },
      { group: 'Interface', openapi: 'api.json' },
      ...outside.map((path) => ({ group: 'Out', openapi: path })),
      { $ref: '../secret.txt' },
      { $ref: absolute },
    ],
  }
  return siteOf(all, files, { navigation, styling: { $ref: '../secret.json' } })
}
