import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageFolder } from '../../base/files/program-files.ts'
import type { FontSetting } from '../../site/settings/config.ts'
import { fontFaceRules, fontTokens } from '../theme/site-fonts.ts'
import { downloadFonts } from './site-fonts.ts'

const FILE = readFileSync(join(packageFolder('katex'), 'dist/fonts/KaTeX_Main-Regular.woff2'))
const SERVICE = 'https://fonts.googleapis.com/css2?family=Source+Serif+4'

function font(setting: Partial<FontSetting>): FontSetting {
  return { family: 'Source Serif 4', weight: null, source: null, format: null, ...setting }
}

async function download(
  fonts: { body?: FontSetting; heading?: FontSetting },
  answers: Record<string, string | Uint8Array>,
  deployment: 'air-gapped' | 'client-hosted' = 'air-gapped',
) {
  const asked: string[] = []
  const kept: string[] = []
  const settings = { body: fonts.body ?? null, heading: fonts.heading ?? null }
  const downloaded = await downloadFonts(
    {
      deployment,
      files: { add: async (path) => void kept.push(path) },
      names: { claim: (wish) => wish, has: () => false },
      tree: {
        files: new Map([['fonts/own.woff2', { sizeBytes: FILE.length, digest: 'x' }]]),
        read: async () => FILE,
      },
      fetchRemote: async (url) => {
        asked.push(url)
        const answer = answers[url]
        if (answer === undefined) return { fault: 'The server answered 400.' }
        const type = typeof answer === 'string' ? 'text/css' : 'font/woff2'
        return { url, type, bytes: Buffer.from(answer) }
      },
    },
    settings,
  )
  return {
    ...downloaded,
    asked,
    kept,
    css: fontFaceRules(downloaded),
    tokens: fontTokens(settings, downloaded),
  }
}

test('requests a font family with fewer weights until it succeeds and downloads all its subsets', async () => {
  const part = (range: string, name: string) =>
    `@font-face { font-family: 'x'; font-style: normal; font-weight: 400 700; src: url(https://f.example/${name}) format('woff2'); unicode-range: ${range}; }`
  const answers = {
    [`${SERVICE}:wght@400;700&display=swap`]: `${part('U+0100-02BA, U+1E00-1E9F', 'ext')}\n${part('U+0000-00FF', 'latin')}@import "https://evil.example/x"; }`,
    'https://f.example/ext': FILE,
    'https://f.example/latin': FILE,
  }
  const { asked, kept, css, tokens, problems } = await download({ body: font({}) }, answers)
  assert.deepEqual(asked.slice(0, 3), [
    `${SERVICE}:wght@400..700&display=swap`,
    `${SERVICE}:wght@400;500;600;700&display=swap`,
    `${SERVICE}:wght@400;700&display=swap`,
  ])
  assert.deepEqual(problems, [])
  assert.match(kept[0] as string, /^_octavo\/fonts\/[0-9a-f]{16}\.woff2$/)
  assert.equal(css.match(/font-display:optional/g)?.length, 2)
  assert.match(css, /unicode-range:U\+0100-02BA,U\+1E00-1E9F/)
  assert.match(css, /'Source Serif 4 Fallback';src:local\('Arial'\).*size-adjust:\d+\.\d\d%;ascent-override/)
  assert.ok(!css.includes('example'))
  assert.equal(tokens['--font-site'], "'Source Serif 4','Source Serif 4 Fallback'")
})

test('declares a font file of the site by its path and with its own weight', async () => {
  const { css, asked } = await download({ heading: font({ family: 'Own', source: '/fonts/own.woff2' }) }, {})
  assert.deepEqual(asked, [])
  assert.match(css, /font-family:'Own';font-style:normal;font-weight:400;.*src:url\("\/fonts\/own\.woff2"\)/)
})

test('downloads a remote font and links to a failed one only in deployments with network access', async () => {
  const source = 'https://f.example/own.woff2'
  const body = font({ family: 'Own', source, weight: 450 })
  const found = await download({ body }, { [source]: FILE })
  assert.match(found.css, /font-weight:450;font-display:optional;src:url\("\/_octavo\/fonts\//)
  const page = await download({ body }, { [source]: new TextEncoder().encode('<html>') })
  assert.equal(page.css, '')
  assert.match(
    page.problems[0]?.message ?? '',
    /"Own" could not be fetched from https.*The file is not a font\./,
  )
  const open = await download({ body }, {}, 'client-hosted')
  assert.match(open.css, /url\("https:\/\/f\.example\/own\.woff2"\)/)
  assert.equal(open.problems.length, 1)
})

test('does not request fonts of the theme', async () => {
  const { asked, css, tokens } = await download({ body: font({ family: 'Inter', weight: 450 }) }, {})
  assert.deepEqual([asked, css], [[], ''])
  assert.deepEqual(tokens, { '--font-site': "'Inter Variable','Inter Fallback'", '--weight-text': '450' })
})
