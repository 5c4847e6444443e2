/** Everything that goes into the body of a page, and the key that names the result. */
import type { FileTree } from '../base/file-tree.ts'
import { sha256Of } from '../base/hash.ts'
import { moduleClosure } from '../site/imports.ts'
import type { ApiOperation, Site, SitePage } from '../site/model.ts'
import { readTextFile } from '../site/text.ts'
import type { BodyRequest } from './body.ts'
import { type OperationSources, operationMarkdown } from './operation-page.ts'
import { rendererVersion } from './renderer-version.ts'

export interface PageSource {
  /** `bodies/<digest>.json.gz` in the object store. */
  key: string
  /** The page's own file and what an API description says about its operation; at least one. */
  parts: BodyRequest[]
}

/** Ends the name of a text that was made from a file which is no page; lines in it mean nothing to an author. */
export const SYNTHETIC = '#operation.md'

export interface SourceReader {
  read(page: SitePage): Promise<PageSource>
}

export function createSourceReader(site: Site, tree: FileTree, operations: OperationSources): SourceReader {
  const texts = new Map<string, Promise<string>>()

  const readText = (path: string) => readTextFile(tree, path)

  /** Snippets are read by many pages. */
  const readModule = (path: string) => {
    const known = texts.get(path)
    if (known) return known
    const text = readText(path)
    texts.set(path, text)
    return text
  }

  const request = (
    page: SitePage,
    file: string,
    source: string,
    modules: BodyRequest['modules'],
  ): BodyRequest => ({
    file,
    source,
    bodyLine: page.file === file ? page.bodyLine : 1,
    modules,
    variables: usedVariables(site.config.variables, [source, ...modules.map((module) => module.source)]),
    iconLibrary: site.config.icons.library,
    codeThemes: { light: site.config.styling.codeblocks.light, dark: site.config.styling.codeblocks.dark },
    hasAnchors: page.mode !== 'custom',
  })

  return {
    read: async (page) => {
      const parts: BodyRequest[] = []
      if (page.file !== null) {
        const modules = await Promise.all(
          moduleClosure(site, page.file).map(async ({ path }) => ({ path, source: await readModule(path) })),
        )
        parts.push(request(page, page.file, await readText(page.file), modules))
      }
      if (page.operation) {
        const markdown = await operationMarkdown(
          operations,
          page.operation,
          restOfDescription(page, page.operation),
        )
        parts.push(request(page, page.operation.spec + SYNTHETIC, markdown, []))
      }
      return { key: `bodies/${sha256Of(rendererVersion(), JSON.stringify(parts))}.json.gz`, parts }
    },
  }
}

/** The operation's description without its beginning, which the layout shows below the title. */
function restOfDescription(page: SitePage, operation: ApiOperation): string {
  const all = operation.description?.trim() ?? ''
  const shown = page.description?.trim() ?? ''
  return shown !== '' && all.startsWith(shown) ? all.slice(shown.length).trim() : all
}

/** Only what a page names is part of its key, so that a changed variable renders only the pages that show it. */
function usedVariables(
  all: Readonly<Record<string, string>>,
  texts: readonly string[],
): Record<string, string> {
  const names = Object.keys(all).filter((name) => texts.some((text) => text.includes(name)))
  return Object.fromEntries(names.sort().map((name) => [name, all[name] as string]))
}
