/**
 * Makes the few files that Octavo takes out of packages many times as large, and drops what nothing reads after that.
 * Part of the installation; plain JavaScript without dependencies, for any Node from 20 on.
 *
 *   node_modules/.octavo/mermaid/mermaid.min.js   Mermaid's own bundle
 *   node_modules/.octavo/icons/<set>.txt          one icon a line, sorted: name, tab, attributes of `<svg>`, tab, content
 *   node_modules/.octavo/versions.json            what they were made of
 *
 * The licences of what they hold lie beside them: a package that is shipped carries the folder.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const ICON_SETS = [
  { set: 'fontawesome', name: '@fortawesome/fontawesome-free', svgs: 'svgs', licence: 'LICENSE.txt' },
  { set: 'lucide', name: 'lucide-static', svgs: 'icons', licence: 'LICENSE' },
  { set: 'tabler', name: '@tabler/icons', svgs: 'icons', licence: 'LICENSE' },
]
const MERMAID = { name: 'mermaid', bundle: 'dist/mermaid.min.js', licence: 'LICENSE' }
const SOURCES = [MERMAID, ...ICON_SETS]

/** `packages` is a node_modules folder. Where it was done before, and nothing was installed since, it does nothing. */
export function compactPackages(packages) {
  const made = join(packages, '.octavo')
  const versions = Object.fromEntries(SOURCES.map(({ name }) => [name, versionOf(packages, name)]))
  const text = `${JSON.stringify(versions, null, 2)}\n`
  if (!isThere(join(made, 'versions.json'), text)) {
    const fresh = `${made}.new`
    rmSync(fresh, { recursive: true, force: true })
    writeMermaid(packages, join(fresh, 'mermaid'))
    for (const set of ICON_SETS) writeIcons(packages, set, join(fresh, 'icons'))
    writeFileSync(join(fresh, 'versions.json'), text)
    rmSync(made, { recursive: true, force: true })
    renameSync(fresh, made)
  }
  for (const { name } of SOURCES) drop(join(packages, name), (entry) => entry !== 'package.json')
  dropUnread(packages)
}

function versionOf(packages, name) {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version
}

function isThere(file, text) {
  return existsSync(file) && readFileSync(file, 'utf8') === text
}

function writeMermaid(packages, folder) {
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(packages, MERMAID.name, MERMAID.bundle), join(folder, 'mermaid.min.js'))
  copyFileSync(join(packages, MERMAID.name, MERMAID.licence), join(folder, 'LICENSE'))
}

function writeIcons(packages, { set, name, svgs, licence }, folder) {
  mkdirSync(folder, { recursive: true })
  const home = join(packages, name, svgs)
  const lines = readdirSync(home, { recursive: true })
    .filter((file) => file.endsWith('.svg'))
    .map((file) => {
      const { attributes, content } = shapeOf(readFileSync(join(home, file), 'utf8'), file)
      return `${file.slice(0, -'.svg'.length).replaceAll('\\', '/')}\t${attributes}\t${content}\n`
    })
  // By code unit, as the reader compares.
  lines.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  writeFileSync(join(folder, `${set}.txt`), lines.join(''))
  copyFileSync(join(packages, name, licence), join(folder, `${set}.LICENSE`))
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
 * Files that take a third of the disk and that nothing reads: Node's headers and manual, programs of isolated-vm for
 * other systems and its own archive, descriptions of GitHub that the tests do not use.
 */
function dropUnread(packages) {
  for (const name of readdirSync(packages).filter((folder) =>
    /^node-(?:bin-)?(?:darwin|linux)-/.test(folder),
  ))
    drop(
      join(packages, name),
      (entry) => entry === 'include' || entry === 'share' || entry === 'CHANGELOG.md',
    )
  const isolates = join(packages, 'isolated-vm')
  drop(isolates, (entry) => entry.endsWith('.tgz'))
  drop(join(isolates, 'prebuilds'), (entry) => entry !== `${process.platform}-${process.arch}`)
  const descriptions = join(packages, '@octokit', 'openapi', 'generated')
  drop(descriptions, (entry) => entry.endsWith('.json') && entry !== 'api.github.com.json')
}

function drop(folder, isUnread) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder).filter(isUnread)) rmSync(join(folder, entry), { recursive: true })
}
