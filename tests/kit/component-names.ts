/** Names of the built-in components. The registry is TSX, so it is bundled before it is imported. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Older names of other components, and names that authors know from other tools. */
const ALIASES = new Set([
  'File',
  'Folder',
  'FileTree',
  'CardGroup',
  'Image',
  'Link',
  'Snippet',
  'Mermaid',
  'GitHub',
])

export async function components(): Promise<string[]> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('../../src/render/components/registry.tsx', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  const code = bundle.outputFiles[0]?.text ?? ''
  const { components: all } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    components: Record<string, unknown>
  }
  return Object.keys(all).filter((name) => /^[A-Z]/.test(name) && !ALIASES.has(name))
}
