import assert from 'node:assert/strict'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Bytes of the minified script after gzip. */
const BUDGETS = { early: 1_200, main: 12_000, search: 12_000, feedback: 8_000, services: 1_000 }

for (const [name, budget] of Object.entries(BUDGETS)) {
  test(`the ${name} script of pages stays within ${budget} bytes`, async () => {
    const result = await build({
      entryPoints: [fileURLToPath(new URL(`../../web/reader/${name}.ts`, import.meta.url))],
      bundle: true,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      write: false,
    })
    const size = gzipSync(result.outputFiles[0]?.contents ?? new Uint8Array()).length
    assert.ok(size > 0 && size <= budget, `${size} bytes`)
  })
}
