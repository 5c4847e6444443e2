/** The script that every previewed page carries. Made once for each process. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

let made: Promise<string> | null = null

export function loadPreviewScript(): Promise<string> {
  made ??= makeScript().catch((error) => {
    made = null
    throw error
  })
  return made
}

async function makeScript(): Promise<string> {
  const style = await bundle('notes.css', {})
  return bundle('preview.ts', { NOTES_STYLE: JSON.stringify(style) })
}

async function bundle(file: string, define: Record<string, string>): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../../web/preview/${file}`, import.meta.url))],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
    define,
  })
  return (result.outputFiles[0]?.text ?? '').trim()
}
