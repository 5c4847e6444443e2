/**
 * Writes `sbom.cdx.json` of a bundle, a CycloneDX 1.6 list of the packages in its scripts, styles and fonts. Derived
 * from the files that the bundlers have read, without a timestamp, so that equal bundles have equal bills of materials.
 */
import { hashParts } from '../../base/hash.ts'
import { stemmedLanguage } from '../../search/stemmers.ts'
import { BUILT_IN_FOLDER, type BuiltIns, HASHED_BUNDLES, loadBuiltIns } from '../machinery/built-ins.ts'
import { type BundledPackage, type BundleName, listBundlePackages } from '../machinery/own-bundles.ts'
import { octavoVersion } from '../machinery/renderer-version.ts'
import type { RenderInput } from '../page/render-input.ts'

export const SBOM_FILE = 'sbom.cdx.json'

interface ContainedPackage extends BundledPackage {
  /** Files of the bundle that contain the package. */
  files: string[]
}

const SITE = 'site'

/** `paths` are all files of the bundle. */
export async function createSoftwareBill(
  { site, tree }: Pick<RenderInput, 'site' | 'tree'>,
  paths: readonly string[],
): Promise<string> {
  const components = (await containedPackages(paths)).map(createComponent)
  const version = octavoVersion()
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${createUuid(hashParts(tree.revision, JSON.stringify(components)))}`,
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
    // Packages that publishers have bundled into other packages are not listed.
    compositions: [{ aggregate: 'incomplete_first_party_only', assemblies: [SITE] }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

async function containedPackages(paths: readonly string[]): Promise<ContainedPackage[]> {
  const contained = new Map<string, ContainedPackage>()
  const add = (found: BundledPackage, file: string) => {
    const containedPackage = contained.get(found.name) ?? { ...found, files: [] }
    contained.set(found.name, containedPackage)
    if (!containedPackage.files.includes(file)) containedPackage.files.push(file)
  }
  const present = new Set(paths)
  const builtIns = await loadBuiltIns()
  const own = { name: 'octavo', version: octavoVersion(), licence: 'Apache-2.0' }
  for (const [bundle, file] of bundledFiles(builtIns, paths)) {
    if (!present.has(file)) continue
    add(own, file)
    for (const found of await listBundlePackages(bundle)) add(found, file)
  }
  for (const { path, source } of [...builtIns.fonts, ...builtIns.math, builtIns.mermaid])
    if (source !== undefined && present.has(path)) add(source, path)
  return [...contained.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns each of Octavo's bundles with the path of its file. */
function bundledFiles(builtIns: BuiltIns, paths: readonly string[]): [BundleName, string][] {
  const roots = paths.flatMap((path): [BundleName, string][] => {
    const language = path.startsWith(`${BUILT_IN_FOLDER}/search-`) ? findLanguage(path) : null
    return language === null ? [] : [[`stemmer-${language}.js`, path]]
  })
  const hashed = Object.entries(HASHED_BUNDLES).map(([name, bundle]): [BundleName, string] => [
    bundle,
    builtIns[name as keyof typeof HASHED_BUNDLES].path,
  ])
  return [...hashed, ['serve.mjs', 'serve.mjs'], ...roots]
}

/** Returns the language of a search index if its words are stemmed, or null. */
function findLanguage(path: string): string | null {
  const [, code] = /\/search-([A-Za-z-]+)\.[0-9a-f]{10}\.js$/.exec(path) ?? []
  return code === undefined ? null : stemmedLanguage(code)
}

function createComponent({ name, version, licence, files }: ContainedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [group, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: bare,
    version,
    ...(licence === null ? {} : { licenses: [createLicence(licence)] }),
    purl,
    evidence: { occurrences: files.map((location) => ({ location })) },
  }
}

/** Formats a license, which is an SPDX identifier or expression. */
function createLicence(licence: string) {
  return /^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }
}

/** Creates a UUID of version 8 (RFC 9562) from the digest of the content. */
function createUuid(digest: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? []
  return `${a}-${b}-8${c}-8${d}-${e}`
}
