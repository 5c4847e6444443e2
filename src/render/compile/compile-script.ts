/**
 * Compiles JavaScript and TypeScript of authors to CommonJS. Runs in the parent, because esbuild is a
 * separate program.
 */
import type { Loader } from 'esbuild'
import { hashParts } from '../../base/hash.ts'
import type { Log } from '../../base/log.ts'
import { runEsbuild, ScriptFault } from '../machinery/esbuild.ts'
import type { CompiledScript } from './compile-page.ts'

export interface ScriptCompiler {
  compile(path: string, source: string): Promise<CompiledScript>
}

const LOADERS: Readonly<Record<string, Loader>> = { js: 'jsx', mjs: 'jsx', jsx: 'jsx', ts: 'ts', tsx: 'tsx' }

export function scriptLoader(path: string): Loader | null {
  return LOADERS[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Caches compiled scripts, because many pages import the same component. */
export function createScriptCompiler(log: Log): ScriptCompiler {
  const cache = new Map<string, Promise<CompiledScript>>()
  return {
    compile(path, source) {
      const key = hashParts(path, source)
      const found = cache.get(key)
      if (found) return found
      const compiling = compileScript(log, path, source)
      cache.set(key, compiling)
      compiling.catch(() => cache.delete(key))
      return compiling
    },
  }
}

/** Rejects only with InternalError, never because of the script. */
async function compileScript(log: Log, path: string, source: string): Promise<CompiledScript> {
  try {
    const { code } = await runEsbuild(log, ({ transform }) =>
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
