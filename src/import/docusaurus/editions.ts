/** Lists the documents of each plugin, version and language. Docusaurus stores them in separate folders. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { readYaml } from '../../site/yaml.ts'
import type { PathAllocator } from '../imported-site.ts'
import type { Notes } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'
import type { DocsPlugin, DocusaurusConfig } from './config.ts'
import { type Doc, type DocSet, readDocs } from './docs.ts'
import { type GeneratedPage, readSidebars, type Sidebar } from './sidebars.ts'

export interface Edition {
  plugin: DocsPlugin
  version: { name: string; label: string; isDefault: boolean }
  locale: string
  set: DocSet
  sidebars: Sidebar[]
}

export async function readEditions(
  tree: FileTree,
  notes: Notes,
  config: DocusaurusConfig,
  allocatePath: PathAllocator,
  generatedPages: GeneratedPage[],
  drafts: Doc[],
): Promise<Edition[]> {
  const editions: Edition[] = []
  for (const plugin of config.docs) {
    const versions = await readVersions(tree, plugin)
    for (const locale of config.locales) {
      for (const version of versions) {
        const folder = findDocsFolder(config, plugin, version.name, locale)
        const base = posix.join(
          '/',
          locale === config.defaultLocale ? '' : locale,
          plugin.routeBasePath,
          version.path,
        )
        const set = await readDocs(tree, notes, { folder, base, allocatePath })
        drafts.push(...set.drafts)
        if (set.docs.length === 0) continue
        const sidebars = await readSidebars(tree, notes, {
          set,
          file: sidebarFile(plugin, version.name),
          messages:
            locale === config.defaultLocale ? {} : await readMessages(tree, plugin, version.name, locale),
          base,
          generatePage(page) {
            const pagePath = allocatePath(folder, page.route.slice(1), false)
            generatedPages.push({ ...page, route: `/${pagePath}` })
            return pagePath
          },
        })
        editions.push({ plugin, version, locale, set, sidebars })
      }
    }
  }
  return editions
}

interface VersionInfo {
  name: string
  label: string
  path: string
  isDefault: boolean
}

/**
 * Lists the versions: `current`, which is the docs folder, then released versions in their own folders,
 * latest first.
 */
async function readVersions(tree: FileTree, plugin: DocsPlugin): Promise<VersionInfo[]> {
  const { options } = plugin
  const file = `${filePrefix(plugin)}versions.json`
  const result = tree.files.has(file)
    ? readYaml(await readTextFile(tree, file), { depth: 5, values: 2000 })
    : null
  const releasedVersions =
    result && 'value' in result ? asItems(result.value).flatMap((one) => asText(one) ?? []) : []
  const own = asFields(options.versions)
  const last = asText(options.lastVersion) ?? releasedVersions[0] ?? 'current'
  const names = [
    ...(options.includeCurrentVersion === false && releasedVersions.length > 0 ? [] : ['current']),
    ...releasedVersions,
  ]
  return names.map((name) => {
    const { label, path } = asFields(own[name])
    const standard = name === last ? '' : name === 'current' ? 'next' : name
    return {
      name,
      label: asText(label) ?? (name === 'current' ? 'Next' : name),
      path: asText(path) ?? standard,
      isDefault: name === last,
    }
  })
}

function filePrefix({ id }: DocsPlugin): string {
  return id === 'default' ? '' : `${id}_`
}

function sidebarFile(plugin: DocsPlugin, version: string): string | null {
  return version === 'current'
    ? plugin.sidebarPath
    : `${filePrefix(plugin)}versioned_sidebars/version-${version}-sidebars.json`
}

function translationFolder(plugin: DocsPlugin, locale: string): string {
  return `i18n/${locale}/docusaurus-plugin-content-docs${plugin.id === 'default' ? '' : `-${plugin.id}`}`
}

function findDocsFolder(
  { defaultLocale }: DocusaurusConfig,
  plugin: DocsPlugin,
  version: string,
  locale: string,
): string {
  const name = version === 'current' ? 'current' : `version-${version}`
  if (locale !== defaultLocale) return `${translationFolder(plugin, locale)}/${name}`
  return version === 'current' ? plugin.path : `${filePrefix(plugin)}versioned_docs/${name}`
}

async function readMessages(
  tree: FileTree,
  plugin: DocsPlugin,
  version: string,
  locale: string,
): Promise<Fields> {
  const name = version === 'current' ? 'current' : `version-${version}`
  const file = `${translationFolder(plugin, locale)}/${name}.json`
  if (!tree.files.has(file)) return {}
  const result = readYaml(await readTextFile(tree, file), { depth: 5, values: 50_000 })
  return 'value' in result ? asFields(result.value) : {}
}
