/**
 * `npm run vendor`: writes `vendor/`, the few files that Octavo takes out of packages which are many times as large.
 *
 *   vendor/mermaid/mermaid.min.js   Mermaid's own bundle, as it is
 *   vendor/icons/<set>.txt          one icon a line, sorted: name, tab, attributes of the `<svg>`, tab, its content
 *
 * A new version is a new number here and a run of this script. The packages come through npm, which checks them.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmCommand, root } from './install.mjs'

const MERMAID = 'mermaid@12.3.0'
/** Names of the files of a set lead to the names of its icons. */
const ICON_SETS = [
  { set: 'fontawesome', spec: '@fortawesome/fontawesome-free@7.3.1', svgs: 'svgs', licence: 'LICENSE.txt' },
  { set: 'lucide', spec: 'lucide-static@1.62.0', svgs: 'icons', licence: 'LICENSE' },
  { set: 'tabler', spec: '@tabler/icons@3.51.0', svgs: 'icons', licence: 'LICENSE' },
]

const vendor = join(root, 'vendor')
const work = mkdtempSync(join(tmpdir(), 'octavo-vendor-'))
try {
  writeMermaid(fetched(MERMAID))
  for (const set of ICON_SETS) writeIcons(set, fetched(set.spec))
  writeFileSync(join(vendor, 'README.md'), readme())
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The folder with the files of a package. */
function fetched(spec) {
  const { command, args, env } = npmCommand()
  const folder = mkdtempSync(join(work, 'package-'))
  const packed = run(command, [...args, 'pack', spec, '--silent', '--pack-destination', folder], env)
  run('tar', ['-xzf', join(folder, packed.trim().split('\n').at(-1)), '-C', folder], process.env)
  return join(folder, 'package')
}

function run(command, args, env) {
  const done = spawnSync(command, args, { cwd: work, env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${done.stderr}`)
  return done.stdout
}

function writeMermaid(folder) {
  mkdirSync(join(vendor, 'mermaid'), { recursive: true })
  copyFileSync(join(folder, 'dist', 'mermaid.min.js'), join(vendor, 'mermaid', 'mermaid.min.js'))
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  writeFileSync(
    join(vendor, 'mermaid', 'package.json'),
    `${JSON.stringify({ name, version, license }, null, 2)}\n`,
  )
  cpSync(join(folder, 'LICENSE'), join(vendor, 'mermaid', 'LICENSE'))
}

function writeIcons({ set, svgs, licence }, folder) {
  mkdirSync(join(vendor, 'icons'), { recursive: true })
  const lines = globSync('**/*.svg', { cwd: join(folder, svgs) }).map((file) => {
    const { attributes, content } = shapeOf(readFileSync(join(folder, svgs, file), 'utf8'), file)
    return `${file.slice(0, -'.svg'.length).replaceAll('\\', '/')}\t${attributes}\t${content}\n`
  })
  // By code unit, as the reader compares.
  lines.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  writeFileSync(join(vendor, 'icons', `${set}.txt`), lines.join(''))
  cpSync(join(folder, licence), join(vendor, 'icons', `${set}.LICENSE`))
}

function keyOf(line) {
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

function readme() {
  const rows = ICON_SETS.map(
    ({ set, spec }) => `| \`icons/${set}.txt\` | \`${spec}\` | \`icons/${set}.LICENSE\` |`,
  )
  return `# Files of other projects

Made by \`npm run vendor\` (\`scripts/vendor.mjs\`, where their versions stand); not to be edited.

| File | Taken from | Licence |
|---|---|---|
| \`mermaid/mermaid.min.js\` | \`${MERMAID}\` | \`mermaid/LICENSE\` |
${rows.join('\n')}
`
}
