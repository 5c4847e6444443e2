/**
 * Joins packages that are made of hundreds of small modules into a few. Each process of Octavo loads them, and a module
 * costs about 0.4 ms of processor time, compiled before or not: TypeBox alone took a third of the start of a process.
 *
 * In place, so that whoever imports them gets the same modules: the files that a package exports stay what they export,
 * what they have in common lies in chunks beside them, and the modules they were made of go. Types stay.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Pure ECMAScript modules without a look at where they lie. */
const JOINED = ['typebox', 'kysely']

/** With the esbuild that lies among these packages. */
export async function joinModules(packages) {
  const { build, stop } = await import(pathToFileURL(join(packages, 'esbuild', 'lib', 'main.js')).href)
  try {
    for (const name of JOINED) await joinPackage(build, join(packages, name))
  } finally {
    await stop()
  }
}

async function joinPackage(build, folder) {
  const entries = entriesOf(folder)
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outbase: folder,
    outdir: folder,
    outExtension: { '.js': extname(entries[0]) },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    legalComments: 'inline',
    keepNames: true,
    metafile: true,
    write: false,
    logLevel: 'silent', // a fault is thrown
  })
  for (const file of Object.keys(metafile.inputs)) rmSync(join(folder, file))
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
}

function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const targets = Object.values(exports).map((target) =>
    typeof target === 'string' ? target : target.default,
  )
  return [...new Set(targets)].filter((target) => /\.m?js$/.test(target))
}
