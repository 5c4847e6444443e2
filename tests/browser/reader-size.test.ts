import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ENGLISH, uiText } from '../../src/render/words/ui-text.ts'

/** Gzipped bytes of the minified scripts. */
const BUDGETS = {
  early: 1_200,
  main: 12_000,
  search: 12_000,
  feedback: 8_000,
  analytics: 2_000,
  services: 1_000,
  'assistant/main': 6_000,
}

for (const [name, budget] of Object.entries(BUDGETS)) {
  test(`the ${name} script of pages stays within ${budget} bytes`, async () => {
    const script = await bundled(`web/reader/${name}.ts`)
    const size = gzipSync(script).length
    assert.ok(script.length > 0 && size <= budget, `${size} bytes`)
  })
}

test('island scripts contain the English texts and no other language', async () => {
  const script = new TextDecoder().decode(await bundled('src/render/components/island-scope.ts', 'utf8'))
  assert.ok(script.includes(ENGLISH.copyCode))
  const others = ['ar', 'de', 'hi', 'ja', 'ru', 'zh'].map((language) => uiText(language).copyCode)
  assert.deepEqual(
    others.filter((word) => script.includes(word) || script.includes(JSON.stringify(word))),
    [],
  )
})

async function bundled(file: string, charset: 'ascii' | 'utf8' = 'ascii'): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../${file}`, import.meta.url))],
    bundle: true,
    minify: true,
    charset,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}
