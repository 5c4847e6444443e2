/** The script that every isolate loads first: Preact and the theme's components in one classic script. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

let built: Promise<string> | null = null

/** Built once in a process. */
export function buildPrelude(): Promise<string> {
  built ??= bundle().catch((error: unknown) => {
    built = null
    throw error
  })
  return built
}

async function bundle(): Promise<string> {
  const source = fileURLToPath(new URL('./isolate/entry.tsx', import.meta.url))
  const result = await build({
    entryPoints: [existsSync(source) ? source : source.replace(/\.tsx$/, '.js')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    // Snippets are known to groups by the name of their component.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('the script for isolates came out empty')
  return file.text
}
