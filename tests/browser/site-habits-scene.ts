/** Builds a site with the patterns that public sites of the format use and rely on. */

const SPEC = {
  openapi: '3.1.0',
  paths: {
    '/search': {
      post: {
        tags: ['full_text'],
        summary: 'search_made',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { highlightPreTag: { type: 'string' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'Found',
            content: {
              'application/json': { schema: { type: 'object', properties: { uid: { type: 'string' } } } },
            },
          },
          404: {
            description: 'Not found',
            content: {
              'application/json': { schema: { type: 'object', properties: { code: { type: 'string' } } } },
            },
          },
        },
      },
    },
  },
}
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="#5B5BD6"/></svg>'

export const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    logo: { light: './images/light.svg', dark: 'images/dark.svg' },
    favicon: 'images/light.svg',
    contextual: { options: ['mcp', 'devin-mcp'] },
    background: { decoration: 'windows' },
    seo: { metatags: { canonical: 'https://acme.dev/docs/' } },
    navigation: {
      groups: [
        {
          group: 'Links',
          pages: Array.from({ length: 60 }, (_, index) => ({ label: `Link ${index}`, href: '/' })),
        },
        {
          group: 'Start',
          pages: ['index', 'long', 'code', 'free', 'narrow', 'deep/down/fields', 'deep/down/gone'],
        },
        { group: 'API', openapi: 'specs/own.json' },
      ],
    },
  }),
  'images/light.svg': SQUARE,
  'images/dark.svg': SQUARE,
  'specs/own.json': JSON.stringify(SPEC),
  // Reset styles in a cascade layer, as in component libraries.
  'own.css':
    '@layer base, reset; @layer reset { * { margin: 0; padding: 0 } } h2 { font-family: Inter, serif } #content-area { max-width: 640px } #header { outline: 1px solid red } table { display: block; overflow-x: auto } #content-container { margin-left: 304px; width: 1080px } @media (min-width: 1024px) { #content-area > #header, #content-area > #content { max-width: 600px; margin-left: auto; margin-right: auto } }',
  // Inserts a notice before the title, as scripts of sites do.
  'own.js': `const notice = document.createElement('div')
notice.id = 'own-notice'
notice.textContent = 'A notice that is much longer than the title of the page, and wants a line of its own.'
document.querySelector('#page-title').before(notice)
`,
  // Fails in the browser because `notice` is already declared. The next script still runs.
  'second.js': "const notice = 1\ndocument.documentElement.dataset.second = 'ran'\n",
  'third.js': "{\n  const notice = 1\n  document.documentElement.dataset.third = 'ran'\n}\n",
  'snippets/values.mdx': 'export const greeting = "Hello"\n\nWords of the snippet.\n',
  'snippets/parts.jsx': `import { greeting } from './values.mdx'

export const Encoded = ({ of }) => {
  const url = new URL('/search?x=1', 'https://acme.dev/docs/')
  url.searchParams.set('q', of)
  const bytes = new TextEncoder().encode(atob(btoa(of)))
  return <p id="encoded">{url.href} {bytes.length} {structuredClone({ a: [process.env.NODE_ENV] }).a[0]} {new URLSearchParams('a=1&b=2').get('b')} {crypto.randomUUID().length} {performance.now()} {String(new AbortController().signal.aborted)}</p>
}
const Shared = createContext('nothing')
export const Größe = memo(() => <p id="groesse">{useContext(Shared)}</p>)
export const Counts = () => {
  const [count, setCount] = useState(0)
  return <button type="button" id="counts" onClick={() => setCount(count + 1)}>Counted {count}</button>
}
export const plain = ({ of }) => <i>{of} by a function</i>
export const Wrapper = ({ as: Part, children }) => <Part title="Given">{children}</Part>
export const Width = ({ children }) => {
  const [count, setCount] = useState(0)
  return <button type="button" id="width" onClick={() => setCount(count + 1)}>{window.innerWidth > 0 ? 'wide ' : ''}{count} {children}</button>
}
export const Greets = () => {
  const [count, setCount] = useState(0)
  return <button type="button" id="greets" onClick={() => setCount(count + 1)}>{greeting} {count}</button>
}
`,
  // Uses names that only the page imports.
  'snippets/lending.jsx': `export const Lending = () => <div id="lending"><Counts />{plain({ of: 'lent' })}</div>
`,
  // Has the name of a built-in component.
  'snippets/named.jsx': `export const Badge = ({ children }) => <b id="own-badge">{children}</b>
`,
  'snippets/falls.jsx': `const width = window.innerWidth
export const Falls = () => <p id="falls">{width > 0 && 'drawn'}</p>
`,
  'snippets/inner.mdx':
    '<div>\nimport { Encoded } from "/snippets/parts.jsx"\n\n<Encoded of="inner" />\n</div>\n',
  'code.mdx': `---
title: Code
---
import { Größe, Wrapper, Width, Greets, Counts, plain } from '/snippets/parts.jsx'
import { Lending } from '/snippets/lending.jsx'
import { Falls } from '/snippets/falls.jsx'
import Inner from '/snippets/inner.mdx'
import Plan from '/snippets/plan.mdx'

<Inner />

<Note>Nobody writes \`import 'shown/in-a-line'\` any more, nor <b>import 'shown/in-bold'</b>.</Note>

<Tip>import shown from 'shown/behind-a-tag'</Tip>

<div>
\`\`\`ts
import 'shown/in-code'
\`\`\`
</div>

<Plan feature="Search" />

<Plan feature="Roles" verb="are" />

<Größe />

<Wrapper as={Card}>In a card</Wrapper>

<Width>**given**</Width>

<Greets />

<Falls />

<Lending />

### Sums <Badge>Beta</Badge>
`,
  'named.mdx': `---
title: Named
---
import { Badge } from '/snippets/named.jsx'

<Badge>Own</Badge>
`,
  'free.mdx':
    '---\ntitle: Free\nmode: frame\n---\n\n<a id="bare" href="/long">A link</a>\n\n<Card title="C" href="/long">Card</Card>\n\n<Tooltip tip="Said twice">\nword\n</Tooltip>\n\n<Badge>\nNew\n</Badge>\n\n<iframe title="Film" src="/long" allowFullScreen referrerPolicy="no-referrer" spellCheck={false} />\n',
  'long.mdx':
    '---\ntitle: A page with contents\n---\n\n## One\n\nText\n\n## Two\n\nText\n\n## Content\n\nText\n\n## Pagination\n\nText\n\n<p style={{ textAlign: "right" }}><Tooltip tip="A tip of some length that has no room beside its word">edge</Tooltip></p>\n',
  'narrow.mdx':
    '---\ntitle: Narrow\n---\n\n```json\n{ "total": item.quantity * item.unit_price * item.number_of_units }\n```\n\n| Name | What it does |\n| - | - |\n| [CreateX12PartnershipCommand](/long) | Creates a partnership. A partnership holds information about a relationship. |\n\n| Field | Type | Required | Description |\n| - | - | - | - |\n| filter | `string` | No | Filters by status, which is one of many words that fill the rest of the line and more of it. |\n\n<Update label="2026-08-03">One</Update>\n\n<Update label="2026-08-03">Two</Update>\n',
  'snippets/plan.mdx': '<Note>\n{feature} {verb ?? "is"} part of a plan.\n</Note>\n',
  'index.mdx': '---\ntitle: Home\n---\n\n[Old](/api-reference/full-text/search-made)\n',
  'deep/down/fields.mdx':
    '---\ntitle: Fields\nopenapi: ../../specs/own.json post /search\n---\n\n<ParamField path="baseUrl" type="string">Where</ParamField>\n\n<ParamField type="string">Without a name</ParamField>\n',
  'deep/down/gone.mdx': '---\nopenapi: ../own.json post /nothing\n---\n',
}
