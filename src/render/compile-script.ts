/** Author files in JavaScript or TypeScript, made CommonJS for the isolate. Runs in the parent: esbuild is a program of its own. */
import type { Loader, TransformFailure } from 'esbuild'
import { sha256Of } from '../base/hash.ts'
import type { CompiledScript } from './compile-page.ts'

export interface ScriptCompiler {
  compile(path: string, source: string): Promise<CompiledScript>
}

const LOADERS: Readonly<Record<string, Loader>> = { js: 'jsx', mjs: 'jsx', jsx: 'jsx', ts: 'ts', tsx: 'tsx' }

export function scriptLoader(path: string): Loader | null {
  return LOADERS[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Remembers what it compiled: many pages import the same component. */
export function createScriptCompiler(): ScriptCompiler {
  const known = new Map<string, Promise<CompiledScript>>()
  return {
    compile(path, source) {
      const key = sha256Of(path, source)
      const compiling = known.get(key) ?? compileScript(path, source)
      known.set(key, compiling)
      return compiling
    },
  }
}

async function compileScript(path: string, source: string): Promise<CompiledScript> {
  const { transform } = await import('esbuild') // a site without such files does without it
  try {
    const { code } = await transform(source.toWellFormed(), {
      loader: scriptLoader(path) ?? 'jsx',
      format: 'cjs',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      target: 'es2022',
      logLevel: 'silent',
      tsconfigRaw: {},
    })
    return { code }
  } catch (error) {
    const [first] = (error as Partial<TransformFailure>).errors ?? []
    return { message: first?.text ?? String(error), line: first?.location?.line ?? null }
  }
}
