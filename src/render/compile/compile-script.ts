/**
 * Compiles author scripts (JavaScript, TypeScript) to CommonJS. Runs in the parent, as esbuild is a separate program.
 */
import type { Loader } from 'esbuild'
import { sha256Of } from '../../base/hash.ts'
import type { Log } from '../../base/log.ts'
import { askEsbuild, ScriptFault } from '../machinery/esbuild.ts'
import type { CompiledScript } from './compile-page.ts'

export interface ScriptCompiler {
  compile(path: string, source: string): Promise<CompiledScript>
}

const LOADERS: Readonly<Record<string, Loader>> = { js: 'jsx', mjs: 'jsx', jsx: 'jsx', ts: 'ts', tsx: 'tsx' }

export function scriptLoader(path: string): Loader | null {
  return LOADERS[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Caches its results, because many pages import the same component. */
export function createScriptCompiler(log: Log): ScriptCompiler {
  const known = new Map<string, Promise<CompiledScript>>()
  return {
    compile(path, source) {
      const key = sha256Of(path, source)
      const found = known.get(key)
      if (found) return found
      const compiling = compileScript(log, path, source)
      known.set(key, compiling)
      compiling.catch(() => known.delete(key))
      return compiling
    },
  }
}

/** Rejects only with MachineryError, never because of the script. */
async function compileScript(log: Log, path: string, source: string): Promise<CompiledScript> {
  try {
    const { code } = await askEsbuild(log, ({ transform }) =>
      transform(source.toWellFormed(), {
        loader: scriptLoader(path) ?? 'jsx',
        format: 'cjs',
        jsx: 'automatic',
        jsxImportSource: 'preact',
        target: 'es2022',
        logLevel: 'silent',
        tsconfigRaw: {},
      }),
    )
    return { code }
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    return { message: error.message, line: error.line }
  }
}
