/** Finds documents by plugin, version and language, in the folders that Docusaurus uses for each. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { readYaml } from '../../site/yaml.ts'
import type { PlaceOf } from '../imported-site.ts'
import type { Notes } from '../notes.ts'
import { type Fields, fieldsOf, itemsOf, textOf } from '../values.ts'
import type { DocsPlugin, DocusaurusConfig } from './config.ts'
import { type Doc, type DocSet, readDocs } from './docs.ts'
import { type MadePage, readSidebars, type Sidebar } from './sidebars.ts'

/** Documents of one plugin, version and language, with their sidebars. */
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
  placeOf: PlaceOf,
  made: MadePage[],
  drafts: Doc[],
): Promise<Edition[]> {
  const editions: Edition[] = []
  for (const plugin of config.docs) {
    const versions = await versionsOf(tree, plugin)
    for (const locale of config.locales) {
      for (const version of versions) {
        const folder = folderOf(config, plugin, version.name, locale)
        const base = posix.join(
          '/',
          locale === config.defaultLocale ? '' : locale,
          plugin.routeBasePath,
          version.path,
        )
        const set = await readDocs(tree, notes, { folder, base, placeOf })
        drafts.push(...set.drafts)
        if (set.docs.length === 0) continue
        const sidebars = await readSidebars(tree, notes, {
          set,
          file: sidebarFile(plugin, version.name),
          messages:
            locale === config.defaultLocale ? {} : await messagesOf(tree, plugin, version.name, locale),
          base,
          makePage(page) {
            const place = placeOf(folder, page.route.slice(1), false)
            made.push({ ...page, route: `/${place}` })
            return place
          },
        })
        editions.push({ plugin, version, locale, set, sidebars })
      }
    }
  }
  return editions
}

interface VersionPlace {
  name: string
  label: string
  path: string
  isDefault: boolean
}

/** Lists versions: `current` is the docs folder; others have their own folders, the first of which is the latest. */
async function versionsOf(tree: FileTree, plugin: DocsPlugin): Promise<VersionPlace[]> {
  const { options } = plugin
  const file = `${prefixOf(plugin)}versions.json`
  const result = tree.files.has(file)
    ? readYaml(await readTextFile(tree, file), { depth: 5, values: 2000 })
    : null
  const kept = result && 'value' in result ? itemsOf(result.value).flatMap((one) => textOf(one) ?? []) : []
  const own = fieldsOf(options.versions)
  const last = textOf(options.lastVersion) ?? kept[0] ?? 'current'
  const names = [...(options.includeCurrentVersion === false && kept.length > 0 ? [] : ['current']), ...kept]
  return names.map((name) => {
    const { label, path } = fieldsOf(own[name])
    const standard = name === last ? '' : name === 'current' ? 'next' : name
    return {
      name,
      label: textOf(label) ?? (name === 'current' ? 'Next' : name),
      path: textOf(path) ?? standard,
      isDefault: name === last,
    }
  })
}

function prefixOf({ id }: DocsPlugin): string {
  return id === 'default' ? '' : `${id}_`
}

function sidebarFile(plugin: DocsPlugin, version: string): string | null {
  return version === 'current'
    ? plugin.sidebarPath
    : `${prefixOf(plugin)}versioned_sidebars/version-${version}-sidebars.json`
}

function translationFolder(plugin: DocsPlugin, locale: string): string {
  return `i18n/${locale}/docusaurus-plugin-content-docs${plugin.id === 'default' ? '' : `-${plugin.id}`}`
}

function folderOf(
  { defaultLocale }: DocusaurusConfig,
  plugin: DocsPlugin,
  version: string,
  locale: string,
): string {
  const name = version === 'current' ? 'current' : `version-${version}`
  if (locale !== defaultLocale) return `${translationFolder(plugin, locale)}/${name}`
  return version === 'current' ? plugin.path : `${prefixOf(plugin)}versioned_docs/${name}`
}

async function messagesOf(
  tree: FileTree,
  plugin: DocsPlugin,
  version: string,
  locale: string,
): Promise<Fields> {
  const name = version === 'current' ? 'current' : `version-${version}`
  const file = `${translationFolder(plugin, locale)}/${name}.json`
  if (!tree.files.has(file)) return {}
  const result = readYaml(await readTextFile(tree, file), { depth: 5, values: 50_000 })
  return 'value' in result ? fieldsOf(result.value) : {}
}
