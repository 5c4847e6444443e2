/**
 * `sbom.cdx.json` in a bundle: which packages its scripts, styles and fonts contain, as CycloneDX 1.6. Taken from what
 * the programs that made them have read, and without a time: the same bundle has the same bill.
 */
import { sha256Of } from '../../base/hash.ts'
import { stemmedLanguage } from '../../search/stemmers.ts'
import { BUILT_IN_FOLDER, type BuiltIns, loadBuiltIns } from '../machinery/built-ins.ts'
import { type BundledPackage, type BundleName, packagesOf } from '../machinery/own-bundles.ts'
import { octavoVersion } from '../machinery/renderer-version.ts'
import type { RenderInput } from '../page/render-input.ts'

export const SBOM_FILE = 'sbom.cdx.json'

interface Contained extends BundledPackage {
  /** Files of the bundle that it is in. */
  files: string[]
}

const SITE = 'site'

/** `paths`: all files of the bundle. */
export async function softwareBill(
  { site, tree }: Pick<RenderInput, 'site' | 'tree'>,
  paths: readonly string[],
): Promise<string> {
  const components = (await containedPackages(paths)).map(componentOf)
  const version = octavoVersion()
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(sha256Of(tree.revision, JSON.stringify(components)))}`,
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'octavo', version }] },
      component: {
        type: 'application',
        'bom-ref': SITE,
        name: site.config.name || 'site',
        version: tree.revision,
      },
    },
    components,
    dependencies: [{ ref: SITE, dependsOn: components.map((component) => component['bom-ref']) }],
    // What publishers have bundled into their packages themselves is theirs to list.
    compositions: [{ aggregate: 'incomplete_first_party_only', assemblies: [SITE] }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

async function containedPackages(paths: readonly string[]): Promise<Contained[]> {
  const contained = new Map<string, Contained>()
  const add = (found: BundledPackage, file: string) => {
    const known = contained.get(found.name) ?? { ...found, files: [] }
    contained.set(found.name, known)
    if (!known.files.includes(file)) known.files.push(file)
  }
  const present = new Set(paths)
  const builtIns = await loadBuiltIns()
  const own = { name: 'octavo', version: octavoVersion(), licence: 'Apache-2.0' }
  for (const [bundle, file] of bundledFiles(builtIns, paths)) {
    if (!present.has(file)) continue
    add(own, file)
    for (const found of await packagesOf(bundle)) add(found, file)
  }
  for (const { path, source } of [...builtIns.fonts, ...builtIns.math, builtIns.mermaid])
    if (source !== undefined && present.has(path)) add(source, path)
  return [...contained.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Each bundle of ours with the file that it became. */
function bundledFiles(builtIns: BuiltIns, paths: readonly string[]): [BundleName, string][] {
  const { style, mainScript, searchScript, feedbackScript, analyticsScript, islandsScript } = builtIns
  const { playgroundScript, playgroundStyle, assistantScript, assistantStyle } = builtIns
  const roots = paths.flatMap((path): [BundleName, string][] => {
    const language = path.startsWith(`${BUILT_IN_FOLDER}/search-`) ? languageOf(path) : null
    return language === null ? [] : [[`stemmer-${language}.js`, path]]
  })
  return [
    ['site.css', style.path],
    ['main.js', mainScript.path],
    ['search.js', searchScript.path],
    ['feedback.js', feedbackScript.path],
    ['analytics.js', analyticsScript.path],
    ['islands.js', islandsScript.path],
    ['playground.js', playgroundScript.path],
    ['playground.css', playgroundStyle.path],
    ['assistant.js', assistantScript.path],
    ['assistant.css', assistantStyle.path],
    ['serve.mjs', 'serve.mjs'],
    ...roots,
  ]
}

/** Of the root of a search index; null when its words are not reduced. */
function languageOf(path: string): string | null {
  const [, code] = /\/search-([A-Za-z-]+)\.[0-9a-f]{10}\.js$/.exec(path) ?? []
  return code === undefined ? null : stemmedLanguage(code)
}

function componentOf({ name, version, licence, files }: Contained) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [group, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: bare,
    version,
    ...(licence === null ? {} : { licenses: [licenceOf(licence)] }),
    purl,
    evidence: { occurrences: files.map((location) => ({ location })) },
  }
}

/** As packages name it: an identifier of SPDX, or an expression of several. */
function licenceOf(licence: string) {
  return /^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }
}

/** Version 8 of RFC 9562: of bits that follow from the content. */
function uuidOf(digest: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? []
  return `${a}-${b}-8${c}-8${d}-${e}`
}
