import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import type { BodyRequest } from '../../src/render/page/body.ts'
import { type BodyText, bodyText } from '../kit/markup-text.ts'
import { patience } from '../kit/until.ts'

const renderer = openBodyRenderer({ children: 1 })
after(() => renderer[Symbol.asyncDispose]())

async function render(source: string, { modules }: Pick<BodyRequest, 'modules'>): Promise<BodyText> {
  const request: BodyRequest = {
    file: 'guides/page.mdx',
    source,
    bodyLine: 1,
    modules,
    variables: {},
    iconLibrary: 'lucide',
    codeThemes: { light: 'github-light-default', dark: 'dark-plus' },
    hasAnchors: true,
    hasMath: true,
    runLanguages: [],
    language: 'en',
    reference: null,
  }
  return bodyText((await renderer.render(request, patience())).body)
}

test('an import without a leading slash resolves to a file of the site', async () => {
  const body = await render(
    'import Card from "snippets/card.mdx"\nimport { Box } from "snippets/box"\n\n<Card />\n\n<Box />\n',
    {
      modules: [
        { path: 'snippets/card.mdx', source: 'Own card.\n' },
        {
          path: 'snippets/box.jsx',
          source: 'import { pad } from "snippets/pad.js"\nexport const Box = () => <p>{pad("box")}</p>\n',
        },
        { path: 'snippets/pad.js', source: 'export const pad = (text) => text + "ed"\n' },
      ],
    },
  )
  assert.equal(
    body.html
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    'Own card. boxed',
  )
  assert.deepEqual(body.problems, [])
})

test('imports from a package resolve to the built-in components of that name', async () => {
  const body = await render(
    'import { Card, Frame } from "@acme/components"\nimport Note from "@acme/Note"\nimport { Box } from "/snippets/box.jsx"\n\n<Card title="Read" />\n\n<Note>Mind</Note>\n\n<Box />\n',
    {
      modules: [
        {
          path: 'snippets/box.jsx',
          source:
            'import { Card as Tile } from "@acme/components"\nexport const Box = () => <Tile title="Inner">text</Tile>\n',
        },
      ],
    },
  )
  assert.match(body.html, /class="card.*Read.*class="callout.*Mind.*class="card.*Inner/s)
  assert.deepEqual(body.problems, [])
})
